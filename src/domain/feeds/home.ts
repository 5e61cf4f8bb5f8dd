import type { Page } from '../../lib/page.ts'
import type { Moment } from '../../platform/db/changes.ts'
import type { Read } from '../context.ts'
import { readFeed } from './read.ts'
import { HOME } from './standing.ts'

/** A page of somebody's home feed: ids of statuses, newest first. */
export async function readHomeFeed(
  read: Read,
  { accountId, ...asked }: { accountId: string; page: Page; asOf?: Moment | undefined },
): Promise<string[]> {
  return readFeed(read, { kind: HOME, feedId: accountId, viewerId: accountId, ...asked })
}

import type { Page } from '../../lib/page.ts'
import type { CachedRead } from '../context.ts'
import { readFeed } from './read.ts'
import { HOME } from './standing.ts'

/** A page of somebody's home feed: ids of statuses, newest first. */
export async function readHomeFeed(
  read: CachedRead,
  { accountId, ...asked }: { accountId: string; page: Page },
): Promise<string[]> {
  return readFeed(read, { kind: HOME, feedId: accountId, viewerId: accountId, ...asked })
}

import type { Page } from '../../lib/page.ts'
import type { Moment } from '../../platform/db/changes.ts'
import type { Read } from '../context.ts'
import { readFeed } from './read.ts'
import { LIST } from './standing.ts'

/** A page of the timeline of one's own list: ids of statuses, newest first. */
export async function readListFeed(
  read: Read,
  { accountId, listId, ...asked }: { accountId: string; listId: string; page: Page; asOf?: Moment | undefined },
): Promise<string[]> {
  return readFeed(read, { kind: LIST, feedId: listId, viewerId: accountId, ...asked })
}

import type { Page } from '../../lib/page.ts'
import type { CachedRead } from '../context.ts'
import { readFeed } from './read.ts'
import { LIST } from './standing.ts'

/** A page of the timeline of one's own list: ids of statuses, newest first. */
export async function readListFeed(
  read: CachedRead,
  { accountId, listId, ...asked }: { accountId: string; listId: string; page: Page },
): Promise<string[]> {
  return readFeed(read, { kind: LIST, feedId: listId, viewerId: accountId, ...asked })
}

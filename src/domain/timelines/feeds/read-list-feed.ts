import type { Page } from '../../../lib/page.ts'
import type { CachedRead } from '../../context.ts'
import { readFeed } from './read-feed.ts'
import { LIST_FEED } from './entry-position.ts'

/** Returns a page of a list's feed: ids of statuses, newest first (Mastodon: GET /api/v1/timelines/list/:list_id). */
export async function readListFeed(
  read: CachedRead,
  { accountId, listId, ...requested }: { accountId: string; listId: string; page: Page },
): Promise<string[]> {
  return readFeed(read, { kind: LIST_FEED, feedId: listId, viewerId: accountId, ...requested })
}

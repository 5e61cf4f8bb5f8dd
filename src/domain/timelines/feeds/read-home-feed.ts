import type { Page } from '../../../lib/page.ts'
import type { CachedRead } from '../../context.ts'
import { readFeed } from './read-feed.ts'
import { HOME_FEED } from './entry-position.ts'

/** Returns a page of a user's home feed: ids of statuses, newest first (Mastodon: GET /api/v1/timelines/home). */
export async function readHomeFeed(
  read: CachedRead,
  { accountId, ...requested }: { accountId: string; page: Page },
): Promise<string[]> {
  return readFeed(read, { kind: HOME_FEED, feedId: accountId, viewerId: accountId, ...requested })
}

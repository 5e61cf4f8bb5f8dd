import type { Page } from '../../../lib/page.ts'
import type { CachedRead } from '../../context.ts'
import { findStatusesShownInFeed } from '../../access/feed-visibility.ts'
import { HOME_FEED, LIST_FEED } from './entry-position.ts'
import type { FeedKind } from './entry-position.ts'
import { readKeysetBatches, keysetBatchReader } from '../../core/keyset-batches.ts'

const batchReaderOf = ({ table, key }: FeedKind) =>
  keysetBatchReader<{ feed: string }>({
    columns: { feed: 'bigint' },
    table,
    alias: 'e',
    where: `e.${key} = requested.feed`,
    id: 'status_id',
  })
const readers = { feed_entries: batchReaderOf(HOME_FEED), list_entries: batchReaderOf(LIST_FEED) }

/**
 * Returns a page of a feed: ids of statuses, newest first. Blocks, mutes and visibility may have changed since the
 * entries were written, so they are checked again, and statuses that are hidden now are left out.
 */
export async function readFeed(
  read: CachedRead,
  { kind, feedId, viewerId, page }: { kind: FeedKind; feedId: string; viewerId: string; page: Page },
): Promise<string[]> {
  return readKeysetBatches(read.db, {
    reader: readers[kind.table],
    query: { feed: feedId },
    page,
    idOf: (id) => id,
    filterRows: async (ids) => findStatusesShownInFeed(read, { ids, viewerId }),
  })
}

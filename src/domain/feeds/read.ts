import type { Page } from '../../lib/page.ts'
import type { CachedRead } from '../context.ts'
import { keepShown } from './shown.ts'
import { HOME, LIST } from './standing.ts'
import type { FeedKind } from './standing.ts'
import { readStretches, stretchReader } from './stretches.ts'

const readerOf = ({ table, key }: FeedKind) =>
  stretchReader<{ feed: string }>({
    columns: { feed: 'bigint' },
    table,
    alias: 'e',
    where: `e.${key} = asked.feed`,
    id: 'status_id',
  })
const readers = { feed_entries: readerOf(HOME), list_entries: readerOf(LIST) }

/**
 * A page of a feed: ids of statuses, newest first. What the feed was written with may have changed since, so blocks,
 * mutes and visibility are asked again, and what is hidden by now is left out.
 */
export async function readFeed(
  read: CachedRead,
  { kind, feedId, viewerId, page }: { kind: FeedKind; feedId: string; viewerId: string; page: Page },
): Promise<string[]> {
  return readStretches(read.db, {
    reader: readers[kind.table],
    asked: { feed: feedId },
    page,
    idOf: (id) => id,
    keep: async (ids) => keepShown(read, { ids, viewerId }),
  })
}

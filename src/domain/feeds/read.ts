import type { Page } from '../../lib/page.ts'
import { askTogether } from '../../platform/db/ask-together.ts'
import type { Moment } from '../../platform/db/changes.ts'
import type { Read } from '../context.ts'
import { readStretches, STRETCH, stretchClause } from './page.ts'
import type { Stretch } from './page.ts'
import { keepShown } from './shown.ts'
import { FEED_LENGTH, HOME, LIST } from './standing.ts'
import type { FeedKind } from './standing.ts'

const part = stretchClause('e.status_id')

const readerOf = ({ table, key }: FeedKind, order: 'desc' | 'asc') =>
  askTogether<Stretch & { feed: string }>(
    { ...STRETCH, feed: 'bigint' },
    `array_to_string(array(
       select e.status_id from ${table} e where e.${key} = asked.feed and ${part.where} ${part[order]}), ' ')`,
  )
const readers = {
  feed_entries: { desc: readerOf(HOME, 'desc'), asc: readerOf(HOME, 'asc') },
  list_entries: { desc: readerOf(LIST, 'desc'), asc: readerOf(LIST, 'asc') },
}

/**
 * A page of a feed: ids of statuses, newest first. What the feed was written with may have changed since, so blocks,
 * mutes and visibility are asked again, and what is hidden by now is left out.
 */
export async function readFeed(
  read: Read,
  {
    kind,
    feedId,
    viewerId,
    page,
    asOf,
  }: { kind: FeedKind; feedId: string; viewerId: string; page: Page; asOf?: Moment | undefined },
): Promise<string[]> {
  return readStretches(page, {
    read: async (stretch, order) => {
      const ids = await readers[kind.table][order](read.db, { ...stretch, feed: feedId })
      return ids === '' ? [] : ids.split(' ')
    },
    idOf: (id) => id,
    keep: async (ids) => keepShown(read, { ids, viewerId, asOf }),
    longer: () => FEED_LENGTH,
  })
}

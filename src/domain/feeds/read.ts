import type { Page } from '../../lib/page.ts'
import { createBatch } from '../../platform/batch.ts'
import type { Moment } from '../../platform/db/changes.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Db } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
import { keepShown } from './shown.ts'
import { FEED_LENGTH, HOME, LIST } from './standing.ts'
import type { FeedKind } from './standing.ts'

const HIGHEST_ID = 9_223_372_036_854_775_807n

/** A stretch of one feed: ids between two, without these, from one end of it. */
interface Stretch {
  feedId: string
  below: bigint
  above: bigint
  rows: number
}

/** What stands in many feeds costs little more to read than what stands in one. */
const readerOf = ({ table, key }: FeedKind, order: 'desc' | 'asc') => {
  const select = statement<{ n: string; ids: string }>(
    `select asked.n, array_to_string(array(
       select e.status_id from ${table} e
       where e.${key} = asked.feed and e.status_id < asked.below and e.status_id > asked.above
       order by e.status_id ${order} limit asked.rows), ' ') as ids
     from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::integer[]) with ordinality asked (feed, below, above, rows, n)`,
  )
  return createBatch<Db, Stretch, string[]>(
    async (db, asked) => {
      const column = (name: keyof Stretch) => asked.map((one) => String(one[name]))
      const rows = await select(db, [column('feedId'), column('below'), column('above'), column('rows')])
      const found = new Map(rows.map(({ n, ids }) => [Number(n), ids === '' ? [] : ids.split(' ')]))
      return asked.map((_, n) => found.get(n + 1) ?? [])
    },
    { maxItems: 100 },
  )
}
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
  const order = page.minId === undefined ? 'desc' : 'asc'
  const stretch: Stretch = {
    feedId,
    below: page.maxId === undefined ? HIGHEST_ID : BigInt(page.maxId),
    above: [page.sinceId, page.minId].reduce((above, id) => (id && BigInt(id) > above ? BigInt(id) : above), 0n),
    rows: page.limit,
  }
  const found: string[] = []
  while (found.length < page.limit) {
    const ids = await readers[kind.table][order](read.db, stretch)
    found.push(...(await keepShown(read, { ids, viewerId, asOf })))
    const last = ids.at(-1)
    if (last === undefined || ids.length < stretch.rows) break
    // Seldom: what is hidden is mostly taken out of the feed, too. Then all the rest is read at once.
    stretch[order === 'desc' ? 'below' : 'above'] = BigInt(last)
    stretch.rows = FEED_LENGTH
  }
  const shown = found.slice(0, page.limit)
  return order === 'desc' ? shown : shown.toReversed()
}

import { statusIdAt } from '../../lib/ids.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { LEAST_STATUS_SCORE, STATUS_MAY_TREND } from './eligible.ts'
import { KEPT, measurePeaks } from './peaks.ts'

/** Fewer favourites and boosts than these make no status trend. */
const LEAST_LIKES = 5

/** After so long, half of a status's score is left. */
const STATUS_HALF_LIFE_HOURS = 1

/** What is older trends no more: it would have needed millions of favourites. */
const OLDEST_STATUS_MS = 48 * 3_600_000

const measureTags = measurePeaks({
  table: 'trending_tags',
  id: 'tag_id',
  usedOn: (day, atLeast) =>
    `select tag_id as id, count(*) as people from tag_uses where day = ${day}
     group by tag_id having count(*) >= ${atLeast}`,
  countOf: (id, day) => `select count(*) from tag_uses where tag_id = ${id} and day = ${day}`,
  halfLifeHours: 4,
})

// Several addresses may lead to one page, and who posts two of them is one.
const measureLinks = measurePeaks({
  table: 'trending_links',
  id: 'card_id',
  usedOn: (day, atLeast) =>
    `select c.id, count(distinct u.account_id) as people
     from link_uses u join links l on l.id = u.link_id join preview_cards c on c.id = l.card_id
     where u.day = ${day} and c.language is not null
     group by c.id having count(distinct u.account_id) >= ${atLeast}`,
  countOf: (id, day) =>
    `select count(distinct u.account_id) from links l join link_uses u on u.link_id = l.id
     where l.card_id = ${id} and u.day = ${day}`,
  halfLifeHours: 8,
})

// From the newest statuses that anybody did something with, few have so many; only those are looked at.
const measureStatuses = statement<{ params: { now: Date; oldestId: string } }>(
  `with liked as (
     select status_id, reblogs_count + favourites_count as likes from status_stats
     where status_id >= $oldestId and reblogs_count + favourites_count >= ${LEAST_LIKES}
   ), measured as (
     select s.id, (likes - 1) ^ 2 * 0.5 ^ (
       extract(epoch from $now::timestamptz - s.created_at)::double precision / ${STATUS_HALF_LIFE_HOURS * 3_600}) as score
     from liked join statuses s on s.id = liked.status_id
     where s.created_at <= $now and ${STATUS_MAY_TREND}
   ), strongest as (
     select id, score from measured where score >= ${LEAST_STATUS_SCORE} order by score desc, id desc limit ${KEPT}
   ), gone as (
     delete from trending_statuses known where not exists (select from strongest where strongest.id = known.status_id)
   )
   insert into trending_statuses (status_id, score) select id, score from strongest order by id
   on conflict (status_id) do update set score = excluded.score`,
)

const lock = statement(`select pg_advisory_xact_lock(hashtextextended('trends', 0))`)
const findUnpublished = statement<{ row: { card_id: string; url: string } }>(
  `select c.id as card_id, c.url from trending_links tl join preview_cards c on c.id = tl.card_id
   where tl.publisher_id is null order by c.id`,
)
const makePublishers = statement<{ params: { domains: readonly string[]; now: Date } }>(
  `insert into publishers (domain, created_at) select distinct domain, $now::timestamptz
    from unnest($domains::text[]) domain
   order by domain on conflict (domain) do nothing`,
)
const assign = statement<{ params: { cardIds: readonly string[]; domains: readonly string[] } }>(
  `update trending_links tl set publisher_id = p.id
   from unnest($cardIds::bigint[], $domains::text[]) as found (card_id, domain)
     join publishers p on p.domain = found.domain
   where tl.card_id = found.card_id`,
)
const removePublishers = statement(
  `delete from publishers p where p.reviewed_at is null
     and not exists (select from trending_links tl where tl.publisher_id = p.id)`,
)

const forgetReviews = statement<{ params: { oldestId: string } }>(
  `delete from reviewed_statuses where status_id < $oldestId`,
)

/** Effect: measures anew what trends, each kind in a transaction of its own. */
export async function refreshTrends(ctx: Ctx): Promise<void> {
  for (const measure of [measureTags, refreshLinks, refreshStatuses]) {
    await ctx.write(async (tx) => {
      // One at a time, since a late job may come together with the next.
      await lock(tx.db)
      await measure(tx)
    })
  }
}

async function refreshLinks(tx: Tx): Promise<void> {
  await measureLinks(tx)
  const found = (await findUnpublished(tx.db)).flatMap(({ card_id: cardId, url }) => {
    const domain = canonicalDomain(new URL(url).host)
    return domain === null ? [] : [{ cardId, domain }]
  })
  if (found.length > 0) {
    const domains = found.map((one) => one.domain)
    await makePublishers(tx.db, { domains, now: tx.now })
    await assign(tx.db, { cardIds: found.map((one) => one.cardId), domains })
  }
  await removePublishers(tx.db)
}

async function refreshStatuses(tx: Tx): Promise<void> {
  const oldestId = statusIdAt(new Date(tx.now.getTime() - OLDEST_STATUS_MS))
  await measureStatuses(tx.db, { now: tx.now, oldestId })
  await forgetReviews(tx.db, { oldestId })
}

import { firstStatusIdAt } from '../../lib/ids.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { IS_LINK_ELIGIBLE, IS_STATUS_ELIGIBLE, MIN_STATUS_SCORE } from './trend-eligibility.ts'
import { MAX_TRENDS, measurePeaks } from './measure-peaks.ts'

/** The minimum number of favourites and reblogs of a trending status. */
const MIN_INTERACTIONS = 5

/** The time after which the score of a status is halved. */
const STATUS_HALF_LIFE_HOURS = 1

/** Older statuses do not trend: they would need millions of favourites. */
const OLDEST_STATUS_MS = 48 * 3_600_000

const measureTags = measurePeaks({
  table: 'trending_tags',
  id: 'tag_id',
  usedOn: (day, atLeast) =>
    `select tag_id as id, count(*) as accounts from tag_uses where day = ${day}
     group by tag_id having count(*) >= ${atLeast}`,
  countOf: (id, day) => `select count(*) from tag_uses where tag_id = ${id} and day = ${day}`,
  halfLifeHours: 4,
})

// Several URLs may lead to one page; an account that posts two of them counts once.
const measureLinks = measurePeaks({
  table: 'trending_links',
  id: 'card_id',
  usedOn: (day, atLeast) =>
    `select c.id, count(distinct u.account_id) as accounts
     from preview_link_uses u join preview_links l on l.id = u.link_id join preview_cards c on c.id = l.card_id
     where u.day = ${day} and ${IS_LINK_ELIGIBLE}
     group by c.id having count(distinct u.account_id) >= ${atLeast}`,
  countOf: (id, day) =>
    `select count(distinct u.account_id) from preview_links l join preview_link_uses u on u.link_id = l.id
     where l.card_id = ${id} and u.day = ${day}`,
  halfLifeHours: 8,
})

// Only the few recent statuses with enough interactions are examined.
const measureStatuses = statement<{ params: { now: Date; oldestId: string } }>(
  `with popular as (
     select status_id, reblogs_count + favourites_count as interactions from status_stats
     where status_id >= $oldestId and reblogs_count + favourites_count >= ${MIN_INTERACTIONS}
   ), measured as (
     select s.id, (interactions - 1) ^ 2 * 0.5 ^ (
       extract(epoch from $now::timestamptz - s.created_at)::double precision / ${STATUS_HALF_LIFE_HOURS * 3_600}) as score
     from popular join statuses s on s.id = popular.status_id
     where s.created_at <= $now and ${IS_STATUS_ELIGIBLE}
   ), strongest as (
     select id, score from measured where score >= ${MIN_STATUS_SCORE} order by score desc, id desc limit ${MAX_TRENDS}
   ), deleted as (
     delete from trending_statuses existing where not exists (select from strongest where strongest.id = existing.status_id)
   )
   insert into trending_statuses (status_id, score) select id, score from strongest order by id
   on conflict (status_id) do update set score = excluded.score`,
)

const lock = statement(`select pg_advisory_xact_lock(hashtextextended('trends', 0))`)
const findUnassigned = statement<{ row: { card_id: string; url: string } }>(
  `select c.id as card_id, c.url from trending_links tl join preview_cards c on c.id = tl.card_id
   where tl.publisher_id is null order by c.id`,
)
/** SQL condition: the publisher `p` is a domain or one of its parent domains. */
const publishes = (domain: string) => `right('.' || ${domain}, length(p.domain) + 1) = '.' || p.domain`
// The publisher of a subdomain is that of its parent domain, if that is known already.
const insertPublishers = statement<{ params: { domains: readonly string[]; now: Date } }>(
  `insert into preview_card_providers (domain, created_at) select distinct unknown.domain, $now::timestamptz
   from unnest($domains::text[]) unknown (domain)
   where not exists (select from preview_card_providers p where ${publishes('unknown.domain')})
   order by unknown.domain on conflict (domain) do nothing`,
)
const assignPublishers = statement<{ params: { cardIds: readonly string[]; domains: readonly string[] } }>(
  `update trending_links tl set publisher_id = nearest.id
   from unnest($cardIds::bigint[], $domains::text[]) as unassigned (card_id, domain), lateral (
     select p.id from preview_card_providers p where ${publishes('unassigned.domain')}
     order by length(p.domain) desc limit 1) nearest
   where tl.card_id = unassigned.card_id`,
)
const removePublishers = statement(
  `delete from preview_card_providers p where p.reviewed_at is null
     and not exists (select from trending_links tl where tl.publisher_id = p.id)`,
)

const deleteOldReviews = statement<{ params: { oldestId: string } }>(
  `delete from status_trend_reviews where status_id < $oldestId`,
)

/** Effect: measures all trends, each kind in its own transaction. */
export async function refreshTrends(ctx: Ctx): Promise<void> {
  for (const measure of [measureTags, refreshLinks, refreshStatuses]) {
    await ctx.write(async (tx) => {
      // Only one refresh runs at a time, because a late job may overlap with the next one.
      await lock(tx.db)
      await measure(tx)
    })
  }
}

async function refreshLinks(tx: Tx): Promise<void> {
  await measureLinks(tx)
  const unassigned = (await findUnassigned(tx.db)).flatMap(({ card_id: cardId, url }) => {
    const domain = canonicalDomain(new URL(url).host)
    return domain === null ? [] : [{ cardId, domain }]
  })
  if (unassigned.length > 0) {
    const domains = unassigned.map(({ domain }) => domain)
    await insertPublishers(tx.db, { domains, now: tx.now })
    await assignPublishers(tx.db, { cardIds: unassigned.map(({ cardId }) => cardId), domains })
  }
  await removePublishers(tx.db)
}

async function refreshStatuses(tx: Tx): Promise<void> {
  const oldestId = firstStatusIdAt(new Date(tx.now.getTime() - OLDEST_STATUS_MS))
  await measureStatuses(tx.db, { now: tx.now, oldestId })
  await deleteOldReviews(tx.db, { oldestId })
}

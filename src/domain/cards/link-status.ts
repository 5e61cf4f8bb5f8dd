import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { startOfHistory } from '../core/usage-history.ts'

/** How long a scheduled fetch of a page prevents another one for the same link. */
export const FETCH_LEASE_HOURS = 1
/** The maximum random delay of a fetch for a remote status, so that not all servers fetch the page at the same time. */
const MAX_FETCH_DELAY_MS = 60_000

interface StatusLinks {
  statusId: string
  /** The absolute URLs in the content, in their order. */
  urls: readonly string[]
  /** Whether the status may have mentions; true by default. */
  hasMentions?: boolean
}

interface FetchTime {
  /** Whether to delay the fetch, because other servers received the same status and fetch the page too. */
  delayed: boolean
}

interface LinkRow {
  id: string
  url: string
  card_id: string | null
}

/** A URL as it is written in a status, and the URL that is fetched for it, without the fragment. */
interface LinkReference {
  statusId: string
  url: string
  normalizedUrl: string
}

// The first URL of each status that is not the profile of a mentioned account.
const selectLinks = statement<{
  params: { statusIds: readonly string[]; externalUrls: readonly string[] }
  row: { status_id: string; url: string }
  notNull: 'status_id' | 'url'
}>(
  `select distinct on (w.status_id) w.status_id, w.url
   from unnest($statusIds::bigint[], $externalUrls::text[]) with ordinality w (status_id, url, place)
   where not exists (
     select from mentions m join accounts a on a.id = m.account_id where m.status_id = w.status_id
       and w.url in (a.url, a.uri))
   order by w.status_id, w.place`,
)
// The transaction that sets the card of a link waits for transactions that add the link to a status, so that it misses
// no status.
const lockFetched = statement<{ params: { urls: readonly string[]; now: Date }; row: LinkRow }>(
  `select id, url, card_id from preview_links where url = any($urls) and due_at > $now order by id for share`,
)
// Of parallel transactions that find a link missing or due, only one gets its row and schedules the fetch. Ordered, so
// that they do not deadlock.
const claimFetches = statement<{ params: { urls: readonly string[]; now: Date }; row: LinkRow }>(
  `insert into preview_links as existing (url, due_at, created_at)
   select url, $now::timestamptz + make_interval(hours => ${FETCH_LEASE_HOURS}), $now from unnest($urls::text[]) url
   order by url
   on conflict (url) do update set due_at = excluded.due_at where existing.due_at <= $now
   returning id, url, card_id`,
)
const connect = statement<{
  params: {
    statusIds: readonly string[]
    linkIds: readonly string[]
    cardIds: readonly (string | null)[]
    urls: readonly string[]
    historyStart: Date
  }
}>(
  `with changed as (
     insert into status_preview_links as existing (status_id, link_id, card_id, url)
     select * from unnest($statusIds::bigint[], $linkIds::bigint[], $cardIds::bigint[], $urls::text[])
     on conflict (status_id) do update set link_id = excluded.link_id, card_id = excluded.card_id, url = excluded.url
       where (existing.link_id, existing.url) is distinct from (excluded.link_id, excluded.url)
     returning status_id, link_id
   )
   insert into preview_link_uses (link_id, day, account_id, uses)
   select changed.link_id, (s.created_at at time zone 'UTC')::date, s.account_id, count(*)
   from changed join statuses s on s.id = changed.status_id join accounts a on a.id = s.account_id
   where s.visibility = 'public' and not s.local_only and s.spoiler_text = '' and not s.sensitive
     and s.created_at >= $historyStart and a.silenced_at is null
   group by 1, 2, 3 order by 1, 2, 3
   on conflict (link_id, day, account_id) do update set uses = preview_link_uses.uses + excluded.uses`,
)
const removeStatusLink = statement<{ params: { statusId: string } }>(
  `delete from status_preview_links where status_id = $statusId`,
)
/**
 * Sets the preview link of new statuses: the first URL in each that is neither on this server nor the profile of a
 * mentioned account. Counts the uses of the links for trends if the statuses are public, and schedules fetches of the
 * pages whose cards are missing or outdated. Must be the last step of a transaction, because many statuses may lock the
 * same link.
 */
export async function linkStatuses(
  tx: Tx,
  { statuses, delayed }: { statuses: readonly StatusLinks[] } & FetchTime,
): Promise<void> {
  const references = await chooseLinks(tx, statuses)
  if (references.length > 0) await connectLinks(tx, { references, delayed })
}

/** Updates the preview link of an edited status, or removes it. */
export async function relinkStatus(tx: Tx, { delayed, ...status }: StatusLinks & FetchTime): Promise<void> {
  const references = await chooseLinks(tx, [status])
  if (references.length > 0) await connectLinks(tx, { references, delayed })
  else await removeStatusLink(tx.db, { statusId: status.statusId })
}

/** Returns the URL under which a page is fetched and stored, without the fragment; null for an invalid URL. */
export function normalizeLinkUrl(url: string): string | null {
  const parsed = URL.parse(url)
  if (!parsed) return null
  parsed.hash = ''
  return parsed.href
}

async function chooseLinks(tx: Tx, statuses: readonly StatusLinks[]): Promise<LinkReference[]> {
  const { localDomain, webDomain } = tx.config
  const external = statuses.map(({ urls, ...status }) => {
    const domainOf = (url: string) => canonicalDomain(new URL(url).host, { keepPort: true })
    return { ...status, urls: urls.filter((url) => ![localDomain, webDomain].includes(domainOf(url) ?? '')) }
  })
  const chosen = external.flatMap(({ statusId, urls, hasMentions = true }) =>
    hasMentions || urls[0] === undefined ? [] : [{ statusId, url: urls[0] }],
  )
  const candidates = external.flatMap(({ statusId, urls, hasMentions = true }) =>
    hasMentions ? urls.map((url) => ({ statusId, url })) : [],
  )
  if (candidates.length > 0) {
    const rows = await selectLinks(tx.db, {
      statusIds: candidates.map(({ statusId }) => statusId),
      externalUrls: candidates.map(({ url }) => url),
    })
    chosen.push(...rows.map(({ status_id: statusId, url }) => ({ statusId, url })))
  }
  return chosen.flatMap(({ statusId, url }) => {
    const normalizedUrl = normalizeLinkUrl(url)
    return normalizedUrl === null ? [] : [{ statusId, url, normalizedUrl }]
  })
}

async function connectLinks(
  tx: Tx,
  { references, delayed }: { references: readonly LinkReference[] } & FetchTime,
): Promise<void> {
  const links = new Map<string, LinkRow>()
  let urls = [...new Set(references.map(({ normalizedUrl }) => normalizedUrl))]
  // Another transaction may claim or delete a link between the two statements.
  while (urls.length > 0) {
    for (const link of await lockFetched(tx.db, { urls, now: tx.now })) links.set(link.url, link)
    const missing = urls.filter((url) => !links.has(url))
    if (missing.length > 0)
      for (const link of await scheduleFetches(tx, { urls: missing, delayed })) links.set(link.url, link)
    urls = missing.filter((url) => !links.has(url))
  }
  const linkOf = ({ normalizedUrl }: LinkReference) => links.get(normalizedUrl)!
  await connect(tx.db, {
    statusIds: references.map(({ statusId }) => statusId),
    linkIds: references.map((reference) => linkOf(reference).id),
    cardIds: references.map((reference) => linkOf(reference).card_id),
    urls: references.map(({ url }) => url),
    historyStart: startOfHistory(tx.now),
  })
}

/** Schedules fetches of the pages, and returns the links but those of which another transaction has just scheduled one. */
async function scheduleFetches(tx: Tx, { urls, delayed }: { urls: readonly string[] } & FetchTime): Promise<LinkRow[]> {
  const links = await claimFetches(tx.db, { urls, now: tx.now })
  for (const { id: linkId } of links) {
    const at = delayed ? new Date(tx.now.getTime() + Math.random() * MAX_FETCH_DELAY_MS) : undefined
    tx.emit('link.fetch_due', { linkId }, at)
  }
  return links
}

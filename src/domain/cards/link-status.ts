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
const find = statement<{
  params: { urls: readonly string[]; now: Date }
  row: { id: string; url: string; is_due: boolean }
}>(`select id, url, due_at <= $now as is_due from preview_links where url = any($urls) order by id`)
// Ordered, so that transactions that insert the same links do not deadlock.
const insertLinks = statement<{ params: { urls: readonly string[]; now: Date } }>(
  `insert into preview_links (url, due_at, created_at) select url, $now, $now from unnest($urls::text[]) url order by url
   on conflict (url) do nothing`,
)
// Of parallel transactions that find a link due, only one schedules the fetch.
const claimFetches = statement<{ params: { linkIds: readonly string[]; now: Date }; row: { id: string } }>(
  `update preview_links l set due_at = $now::timestamptz + make_interval(hours => ${FETCH_LEASE_HOURS})
   from (select id from preview_links where id = any($linkIds::bigint[]) and due_at <= $now order by id for no key update) due
   where l.id = due.id returning l.id`,
)
// The transaction that sets the card of a link waits for transactions that add the link to a status, so that it misses
// no status.
const lockLinks = statement<{ params: { linkIds: readonly string[] }; row: LinkRow }>(
  `select id, url, card_id from preview_links where id = any($linkIds::bigint[]) order by id for share`,
)
const upsertStatusLinks = statement<{
  params: {
    statusIds: readonly string[]
    linkIds: readonly string[]
    cardIds: readonly (string | null)[]
    urls: readonly string[]
  }
  row: { status_id: string }
}>(
  `insert into status_preview_links as existing (status_id, link_id, card_id, url)
   select * from unnest($statusIds::bigint[], $linkIds::bigint[], $cardIds::bigint[], $urls::text[])
   on conflict (status_id) do update set link_id = excluded.link_id, card_id = excluded.card_id, url = excluded.url
     where (existing.link_id, existing.url) is distinct from (excluded.link_id, excluded.url)
   returning status_id`,
)
const removeStatusLink = statement<{ params: { statusId: string } }>(
  `delete from status_preview_links where status_id = $statusId`,
)
const countLinkUses = statement<{ params: { statusIds: readonly string[]; createdAt: Date } }>(
  `insert into preview_link_uses (link_id, day, account_id, uses)
   select l.link_id, (s.created_at at time zone 'UTC')::date, s.account_id, count(*)
   from status_preview_links l join statuses s on s.id = l.status_id join accounts a on a.id = s.account_id
   where l.status_id = any($statusIds::bigint[]) and s.visibility = 'public' and not s.local_only
     and s.spoiler_text = '' and not s.sensitive and s.created_at >= $createdAt and a.silenced_at is null
   group by 1, 2, 3 order by 1, 2, 3
   on conflict (link_id, day, account_id) do update set uses = preview_link_uses.uses + excluded.uses`,
)

/**
 * Sets the preview link of a new status: the first URL in it that is neither on this server nor the profile of a
 * mentioned account. Counts the use of the link for trends if the status is public, and schedules a fetch of the page
 * if its card is missing or outdated. Must be the last step of a transaction, because many statuses may lock the same
 * link.
 */
export async function linkStatus(tx: Tx, { delayed, ...status }: StatusLinks & FetchTime): Promise<void> {
  await linkStatuses(tx, { statuses: [status], delayed })
}

/** Does the same for several new statuses. */
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
  const candidates = statuses.flatMap(({ statusId, urls }) =>
    urls
      .filter((url) => {
        const domain = canonicalDomain(new URL(url).host, { keepPort: true })
        return domain !== localDomain && domain !== webDomain
      })
      .map((url) => ({ statusId, url })),
  )
  if (candidates.length === 0) return []
  const chosen = await selectLinks(tx.db, {
    statusIds: candidates.map(({ statusId }) => statusId),
    externalUrls: candidates.map(({ url }) => url),
  })
  return chosen.flatMap(({ status_id: statusId, url }) => {
    const normalizedUrl = normalizeLinkUrl(url)
    return normalizedUrl ? [{ statusId, url, normalizedUrl }] : []
  })
}

async function connectLinks(
  tx: Tx,
  { references, delayed }: { references: readonly LinkReference[] } & FetchTime,
): Promise<void> {
  const links = await lockLinksOf(tx, { references, delayed })
  const rows = references.map(({ statusId, url, normalizedUrl }) => ({
    statusId,
    url,
    link: links.get(normalizedUrl)!,
  }))
  const changed = await upsertStatusLinks(tx.db, {
    statusIds: rows.map(({ statusId }) => statusId),
    linkIds: rows.map(({ link }) => link.id),
    cardIds: rows.map(({ link }) => link.card_id),
    urls: rows.map(({ url }) => url),
  })
  const statusIds = changed.map((row) => row.status_id)
  if (statusIds.length > 0) await countLinkUses(tx.db, { statusIds, createdAt: startOfHistory(tx.now) })
}

/** Locks the links, creates those that do not exist, and schedules the fetches that are due. Returns them by URL. */
async function lockLinksOf(
  tx: Tx,
  { references, delayed }: { references: readonly LinkReference[] } & FetchTime,
): Promise<ReadonlyMap<string, LinkRow>> {
  const links = new Map<string, LinkRow>()
  let urls = [...new Set(references.map(({ normalizedUrl }) => normalizedUrl))]
  // `pruneCards` may delete a link before it is locked; then it is inserted again.
  while (urls.length > 0) {
    const existing = await find(tx.db, { urls, now: tx.now })
    if (existing.length < urls.length) {
      await insertLinks(tx.db, { urls, now: tx.now })
      continue
    }
    const dueIds = existing.filter((link) => link.is_due).map(({ id }) => id)
    if (dueIds.length > 0) await scheduleFetches(tx, { linkIds: dueIds, delayed })
    for (const link of await lockLinks(tx.db, { linkIds: existing.map(({ id }) => id) })) links.set(link.url, link)
    urls = urls.filter((url) => !links.has(url))
  }
  return links
}

async function scheduleFetches(
  tx: Tx,
  { linkIds, delayed }: { linkIds: readonly string[] } & FetchTime,
): Promise<void> {
  for (const { id: linkId } of await claimFetches(tx.db, { linkIds, now: tx.now })) {
    tx.emit(
      'link.fetch_due',
      { linkId },
      delayed ? new Date(tx.now.getTime() + Math.random() * MAX_FETCH_DELAY_MS) : undefined,
    )
  }
}

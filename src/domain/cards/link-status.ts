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
  /** Whether to delay the fetch, because other servers received the same status and fetch the page too. */
  delayed: boolean
}

interface LinkRow {
  id: string
  card_id: string | null
}

/** A URL as it is written, and the URL that is fetched for it, without the fragment. */
interface LinkReference {
  url: string
  normalizedUrl: string
}

// The first URL that is not the profile of a mentioned account.
const selectLink = statement<{ params: { statusId: string; externalUrls: readonly string[] }; row: { url: string } }>(
  `select w.url from unnest($externalUrls::text[]) with ordinality w (url, place)
   where not exists (
     select from mentions m join accounts a on a.id = m.account_id where m.status_id = $statusId
       and w.url in (a.url, a.uri))
   order by place limit 1`,
)
// The transaction that sets the card of a link waits for transactions that add the link to a status, so that it misses
// no status.
const lockFetched = statement<{ params: { normalizedUrl: string; now: Date }; row: LinkRow }>(
  `select id, card_id from preview_links where url = $normalizedUrl and due_at > $now for share`,
)
// Of parallel transactions that find the link missing or due, only one gets its row and schedules the fetch.
const claimFetch = statement<{ params: { normalizedUrl: string; now: Date }; row: LinkRow }>(
  `insert into preview_links as existing (url, due_at, created_at)
   values ($normalizedUrl, $now::timestamptz + make_interval(hours => ${FETCH_LEASE_HOURS}), $now)
   on conflict (url) do update set due_at = excluded.due_at where existing.due_at <= $now
   returning id, card_id`,
)
const connect = statement<{
  params: {
    statusId: string
    linkId: string
    cardId: string | null
    url: string
    historyStart: Date
  }
}>(
  `with changed as (
     insert into status_preview_links as existing (status_id, link_id, card_id, url)
     values ($statusId, $linkId, $cardId, $url)
     on conflict (status_id) do update set link_id = excluded.link_id, card_id = excluded.card_id, url = excluded.url
       where (existing.link_id, existing.url) is distinct from (excluded.link_id, excluded.url)
     returning status_id, link_id
   )
   insert into preview_link_uses (link_id, day, account_id)
   select changed.link_id, (s.created_at at time zone 'UTC')::date, s.account_id
   from changed join statuses s on s.id = changed.status_id join accounts a on a.id = s.account_id
   where s.visibility = 'public' and not s.local_only and s.spoiler_text = '' and not s.sensitive
     and s.created_at >= $historyStart and a.silenced_at is null
   on conflict (link_id, day, account_id) do update set uses = preview_link_uses.uses + 1`,
)
const removeStatusLink = statement<{ params: { statusId: string } }>(
  `delete from status_preview_links where status_id = $statusId`,
)
/**
 * Sets the preview link of a new status: the first URL in it that is neither on this server nor the profile of a
 * mentioned account. Counts the use of the link for trends if the status is public, and schedules a fetch of the page
 * if its card is missing or outdated. Must be the last step of a transaction, because many statuses may lock the same
 * link.
 */
export async function linkStatus(tx: Tx, { statusId, urls, hasMentions, delayed }: StatusLinks): Promise<void> {
  const link = await chooseLink(tx, { statusId, urls, hasMentions })
  if (link) await connectLink(tx, { statusId, reference: link, delayed })
}

/** Updates the preview link of an edited status, or removes it. */
export async function relinkStatus(tx: Tx, { statusId, urls, delayed }: StatusLinks): Promise<void> {
  const link = await chooseLink(tx, { statusId, urls })
  if (link) await connectLink(tx, { statusId, reference: link, delayed })
  else await removeStatusLink(tx.db, { statusId })
}

/** Returns the URL under which a page is fetched and stored, without the fragment; null for an invalid URL. */
export function normalizeLinkUrl(url: string): string | null {
  const parsed = URL.parse(url)
  if (!parsed) return null
  parsed.hash = ''
  return parsed.href
}

async function chooseLink(
  tx: Tx,
  { statusId, urls, hasMentions = true }: Omit<StatusLinks, 'delayed'>,
): Promise<LinkReference | null> {
  const { localDomain, webDomain } = tx.config
  const externalUrls = urls.filter((url) => {
    const domain = canonicalDomain(new URL(url).host, { keepPort: true })
    return domain !== localDomain && domain !== webDomain
  })
  if (externalUrls.length === 0) return null
  const url = hasMentions ? (await selectLink(tx.db, { statusId, externalUrls }))[0]?.url : externalUrls[0]
  const normalizedUrl = url === undefined ? null : normalizeLinkUrl(url)
  return url !== undefined && normalizedUrl !== null ? { url, normalizedUrl } : null
}

async function connectLink(
  tx: Tx,
  { statusId, reference, delayed }: { statusId: string; reference: LinkReference; delayed: boolean },
): Promise<void> {
  const { url, normalizedUrl } = reference
  let link: LinkRow | undefined
  // Another transaction may claim or delete the link between the two statements.
  while (!link) {
    ;[link] = await lockFetched(tx.db, { normalizedUrl, now: tx.now })
    link ??= await scheduleFetch(tx, { normalizedUrl, delayed })
  }
  const { id: linkId, card_id: cardId } = link
  await connect(tx.db, { statusId, linkId, cardId, url, historyStart: startOfHistory(tx.now) })
}

/** Schedules a fetch of the page and returns its link; undefined if another transaction has just scheduled one. */
async function scheduleFetch(
  tx: Tx,
  { normalizedUrl, delayed }: { normalizedUrl: string; delayed: boolean },
): Promise<LinkRow | undefined> {
  const [link] = await claimFetch(tx.db, { normalizedUrl, now: tx.now })
  if (!link) return undefined
  const at = delayed ? new Date(tx.now.getTime() + Math.random() * MAX_FETCH_DELAY_MS) : undefined
  tx.emit('link.fetch_due', { linkId: link.id }, at)
  return link
}

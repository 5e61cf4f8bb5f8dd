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
  /** Whether to delay the fetch, because other servers received the same status and fetch the page too. */
  delayed: boolean
}

interface LinkRow {
  id: string
  card_id: string | null
  is_due: boolean
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
const find = statement<{ params: { normalizedUrl: string; now: Date }; row: LinkRow }>(
  `select id, card_id, due_at <= $now as is_due from preview_links where url = $normalizedUrl`,
)
const insertLink = statement<{ params: { normalizedUrl: string; now: Date } }>(
  `insert into preview_links (url, due_at, created_at) values ($normalizedUrl, $now, $now) on conflict (url) do nothing`,
)
// Of parallel transactions that find the link due, only one schedules the fetch.
const claimFetch = statement<{ params: { linkId: string; now: Date }; row: { id: string } }>(
  `update preview_links set due_at = $now::timestamptz + make_interval(hours => ${FETCH_LEASE_HOURS}) where id = $linkId
    and due_at <= $now
   returning id`,
)
// The transaction that sets the card of a link waits for transactions that add the link to a status, so that it misses
// no status.
const lockLink = statement<{ params: { linkId: string }; row: LinkRow }>(
  `select id, card_id, false as is_due from preview_links where id = $linkId for share`,
)
const upsertStatusLink = statement<{
  params: { statusId: string; linkId: string; cardId: string | null; url: string }
  row: { status_id: string }
}>(
  `insert into status_preview_links as existing (status_id, link_id, card_id, url) values ($statusId, $linkId, $cardId, $url)
   on conflict (status_id) do update set link_id = excluded.link_id, card_id = excluded.card_id, url = excluded.url
     where (existing.link_id, existing.url) is distinct from (excluded.link_id, excluded.url)
   returning status_id`,
)
const removeStatusLink = statement<{ params: { statusId: string } }>(
  `delete from status_preview_links where status_id = $statusId`,
)
const countLinkUse = statement<{ params: { statusId: string; linkId: string; createdAt: Date } }>(
  `insert into preview_link_uses (link_id, day, account_id)
   select $linkId::bigint, (s.created_at at time zone 'UTC')::date, s.account_id
   from statuses s join accounts a on a.id = s.account_id
   where s.id = $statusId and s.visibility = 'public' and not s.local_only and s.spoiler_text = '' and not s.sensitive
     and s.created_at >= $createdAt and a.silenced_at is null
   on conflict (link_id, day, account_id) do update set uses = preview_link_uses.uses + 1`,
)

/**
 * Sets the preview link of a new status: the first URL in it that is neither on this server nor the profile of a
 * mentioned account. Counts the use of the link for trends if the status is public, and schedules a fetch of the page
 * if its card is missing or outdated. Must be the last step of a transaction, because many statuses may lock the same
 * link.
 */
export async function linkStatus(tx: Tx, { statusId, urls, delayed }: StatusLinks): Promise<void> {
  const link = await chooseLink(tx, { statusId, urls })
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
  { statusId, urls }: { statusId: string; urls: readonly string[] },
): Promise<LinkReference | null> {
  const { localDomain, webDomain } = tx.config
  const externalUrls = urls.filter((url) => {
    const domain = canonicalDomain(new URL(url).host, { keepPort: true })
    return domain !== localDomain && domain !== webDomain
  })
  if (externalUrls.length === 0) return null
  const [chosen] = await selectLink(tx.db, { statusId, externalUrls })
  const normalizedUrl = chosen && normalizeLinkUrl(chosen.url)
  return normalizedUrl ? { url: chosen.url, normalizedUrl } : null
}

async function connectLink(
  tx: Tx,
  { statusId, reference, delayed }: { statusId: string; reference: LinkReference; delayed: boolean },
): Promise<void> {
  const { url, normalizedUrl } = reference
  let link: LinkRow | undefined
  // `pruneCards` may delete the link before it is locked; then it is inserted again.
  while (!link) {
    const [existing] = await find(tx.db, { normalizedUrl, now: tx.now })
    if (!existing) await insertLink(tx.db, { normalizedUrl, now: tx.now })
    else {
      if (existing.is_due) await scheduleFetch(tx, { linkId: existing.id, delayed })
      ;[link] = await lockLink(tx.db, { linkId: existing.id })
    }
  }
  const changed = await upsertStatusLink(tx.db, { statusId, linkId: link.id, cardId: link.card_id, url })
  if (changed.length > 0) await countLinkUse(tx.db, { statusId, linkId: link.id, createdAt: startOfHistory(tx.now) })
}

async function scheduleFetch(tx: Tx, { linkId, delayed }: { linkId: string; delayed: boolean }): Promise<void> {
  if ((await claimFetch(tx.db, { linkId, now: tx.now })).length === 0) return
  tx.emit(
    'link.fetch_due',
    { linkId },
    delayed ? new Date(tx.now.getTime() + Math.random() * MAX_FETCH_DELAY_MS) : undefined,
  )
}

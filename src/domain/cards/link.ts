import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { startOfHistory } from '../tags/days.ts'

/** How long somebody has to look at a page, before the next status may have it looked at again. */
export const LEASE_HOURS = 1
/** A page that many servers hear of at the same moment is not asked by all of them in it. */
const SPREAD_MS = 60_000

interface Links {
  statusId: string
  /** The addresses that it holds, in their order, absolute. */
  urls: readonly string[]
  /** Whether other servers have the status from the same place, and look where it links to now, too. */
  spread: boolean
}

interface LinkRow {
  id: string
  card_id: string | null
  is_due: boolean
}

/** A link as it is written, and the address that is asked for it: without the place on the page. */
interface Written {
  url: string
  address: string
}

// The first URL that is not the profile of a mentioned account.
const choose = statement<{ params: { statusId: string; foreign: readonly string[] }; row: { url: string } }>(
  `select w.url from unnest($foreign::text[]) with ordinality w (url, place)
   where not exists (
     select from mentions m join accounts a on a.id = m.account_id where m.status_id = $statusId
       and w.url in (a.url, a.uri))
   order by place limit 1`,
)
const find = statement<{ params: { address: string; now: Date }; row: LinkRow }>(
  `select id, card_id, due_at <= $now as is_due from links where url = $address`,
)
const make = statement<{ params: { address: string; now: Date } }>(
  `insert into links (url, due_at, created_at) values ($address, $now, $now) on conflict (url) do nothing`,
)
// Of those who find it due at once, one has it looked at.
const claim = statement<{ params: { linkId: string; now: Date }; row: { id: string } }>(
  `update links set due_at = $now::timestamptz + make_interval(hours => ${LEASE_HOURS}) where id = $linkId
    and due_at <= $now
   returning id`,
)
// Whoever gives the link its card waits for those who connect a status with it, and so misses none of them.
const hold = statement<{ params: { knownId: string }; row: LinkRow }>(
  `select id, card_id, false as is_due from links where id = $knownId for share`,
)
const connect = statement<{
  params: { statusId: string; linkId: string; cardId: string | null; url: string }
  row: { status_id: string }
}>(
  `insert into status_links as known (status_id, link_id, card_id, url) values ($statusId, $linkId, $cardId, $url)
   on conflict (status_id) do update set link_id = excluded.link_id, card_id = excluded.card_id, url = excluded.url
     where (known.link_id, known.url) is distinct from (excluded.link_id, excluded.url)
   returning status_id`,
)
const disconnect = statement<{ params: { statusId: string } }>(`delete from status_links where status_id = $statusId`)
const count = statement<{ params: { statusId: string; linkId: string; createdAt: Date } }>(
  `insert into link_uses (link_id, day, account_id)
   select $linkId::bigint, (s.created_at at time zone 'UTC')::date, s.account_id
   from statuses s join accounts a on a.id = s.account_id
   where s.id = $statusId and s.visibility = 'public' and not s.local_only and s.spoiler_text = '' and not s.sensitive
     and s.created_at >= $createdAt and a.silenced_at is null
   on conflict (link_id, day, account_id) do update set uses = link_uses.uses + 1`,
)

/**
 * Connects a new status with the first page that it links to, if that is neither a person whom it mentions nor anything
 * of this server, and counts that where it is for everybody. What nobody has looked at lately will be looked at. Comes
 * last in its transaction: one link may stand in many statuses at once.
 */
export async function linkStatus(tx: Tx, { statusId, urls, spread }: Links): Promise<void> {
  const written = await chooseLink(tx, { statusId, urls })
  if (written) await connectLink(tx, { statusId, written, spread })
}

/** Connects a status that was edited with what it links to now, or with nothing. */
export async function relinkStatus(tx: Tx, { statusId, urls, spread }: Links): Promise<void> {
  const written = await chooseLink(tx, { statusId, urls })
  if (written) await connectLink(tx, { statusId, written, spread })
  else await disconnect(tx.db, { statusId })
}

/** The address under which a page is asked for and known; null for what is no address. */
export function addressOf(url: string): string | null {
  const address = URL.parse(url)
  if (!address) return null
  address.hash = ''
  return address.href
}

async function chooseLink(
  tx: Tx,
  { statusId, urls }: { statusId: string; urls: readonly string[] },
): Promise<Written | null> {
  const { localDomain, webDomain } = tx.config
  const foreign = urls.filter((url) => {
    const domain = canonicalDomain(new URL(url).host, { keepPort: true })
    return domain !== localDomain && domain !== webDomain
  })
  if (foreign.length === 0) return null
  const [chosen] = await choose(tx.db, { statusId, foreign })
  const address = chosen && addressOf(chosen.url)
  return address ? { url: chosen.url, address } : null
}

async function connectLink(
  tx: Tx,
  { statusId, written, spread }: { statusId: string; written: Written; spread: boolean },
): Promise<void> {
  const { url, address } = written
  let link: LinkRow | undefined
  // What is found may be swept away before it is held.
  while (!link) {
    const [known] = await find(tx.db, { address, now: tx.now })
    if (!known) await make(tx.db, { address, now: tx.now })
    else {
      if (known.is_due) await askFor(tx, { linkId: known.id, spread })
      ;[link] = await hold(tx.db, { knownId: known.id })
    }
  }
  const changed = await connect(tx.db, { statusId, linkId: link.id, cardId: link.card_id, url })
  if (changed.length > 0) await count(tx.db, { statusId, linkId: link.id, createdAt: startOfHistory(tx.now) })
}

async function askFor(tx: Tx, { linkId, spread }: { linkId: string; spread: boolean }): Promise<void> {
  if ((await claim(tx.db, { linkId, now: tx.now })).length === 0) return
  tx.emit('link.due', { linkId }, spread ? new Date(tx.now.getTime() + Math.random() * SPREAD_MS) : undefined)
}

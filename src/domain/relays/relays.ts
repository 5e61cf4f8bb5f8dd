import { isIP } from 'node:net'
import { NotFoundError, ValidationError } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import type { Page } from '../../lib/page.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import { FetchRefusedError } from '../../platform/fetch/fetch-errors.ts'
import { parseRequestUrl } from '../../platform/fetch/parse-request-url.ts'
import type { Read, Tx } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { isDomainAllowed } from '../domain-blocks/federating-domain.ts'
import { isDomainSuspended } from '../domain-blocks/find-domain-block.ts'

export interface RelayRow {
  id: string
  inbox_url: string
  state: 'idle' | 'pending' | 'accepted' | 'rejected'
  created_at: Date
}

const MAX_URL_CHARACTERS = 2_000

/** Top-level domains that are not public (RFC 6761, RFC 6762, RFC 9476). */
const PRIVATE_DOMAINS = /\.(?:localhost|local|internal|invalid|home\.arpa|alt)$/

const COLUMNS = 'r.id, r.inbox_url, r.state, r.created_at'
const KEYSET = keysetClause('r.id')

const find = statement<{ params: { id: string }; row: RelayRow }>(`select ${COLUMNS} from relays r where id = $id`)
const listDescending = statement<{ params: PageParameters; row: RelayRow }>(
  `select ${COLUMNS} from relays r where ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters; row: RelayRow }>(
  `select ${COLUMNS} from relays r where ${KEYSET.where} ${KEYSET.ascending}`,
)
const insert = statement<{ params: { inboxUrl: string; now: Date }; row: RelayRow }>(
  `insert into relays as r (inbox_url, state, created_at) values ($inboxUrl, 'pending', $now)
   on conflict (inbox_url) do nothing returning ${COLUMNS}`,
)
const remove = statement<{ params: { id: string }; row: Pick<RelayRow, 'inbox_url' | 'state'> }>(
  `delete from relays where id = $id returning inbox_url, state`,
)

/** Returns a page of relays, newest first. */
export async function listRelays(read: Read, { page }: { page: Page }): Promise<RelayRow[]> {
  const params = pageParameters(page)
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/** Returns one relay. @throws NotFoundError */
export async function getRelay(read: Read, { id }: { id: string }): Promise<RelayRow> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return row
}

/**
 * Stores a relay. The server subscribes to it, and sends it public statuses as soon as it has accepted.
 * @throws ValidationError for a URL that is not https, a host that is not public, is suspended or (with limited
 *   federation) is not allowed, and a known relay
 */
export async function createRelay(tx: Tx, { by, inboxUrl: input }: { by: Actor; inboxUrl: string }): Promise<RelayRow> {
  const attribute = 'inbox_url'
  if (input.trim() === '') throw new ValidationError([{ attribute, code: 'ERR_BLANK', text: "can't be blank" }])
  const url = parseInboxUrl(tx, input.trim())
  if (url === null) throw new ValidationError([{ attribute, code: 'ERR_INVALID', text: 'is invalid' }])
  if (await isDomainSuspended(tx, { domain: url.host }))
    throw new ValidationError([{ attribute, code: 'ERR_BLOCKED', text: 'is on a suspended server' }])
  if (!(await isDomainAllowed(tx, { domain: url.host })))
    throw new ValidationError([{ attribute, code: 'ERR_BLOCKED', text: 'is on a server that is not allowed' }])
  const [relay] = await insert(tx.db, { inboxUrl: url.href, now: tx.now })
  if (!relay) throw new ValidationError([{ attribute, code: 'ERR_TAKEN', text: 'has already been taken' }])
  tx.emit('relay.added', { relayId: relay.id })
  await record(tx, { by, action: 'create', id: relay.id, label: relay.inbox_url })
  return relay
}

/** Deletes a relay, and ends the subscription to it. @throws NotFoundError */
export async function deleteRelay(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const [relay] = isId(id) ? await remove(tx.db, { id }) : []
  if (!relay) throw new NotFoundError()
  if (relay.state !== 'idle') tx.emit('relay.removed', { relayId: id, inboxUrl: relay.inbox_url })
  await record(tx, { by, action: 'delete', id, label: relay.inbox_url })
}

/** Returns the normalized URL of an inbox on another public host, or null. */
function parseInboxUrl({ config }: Read, text: string): URL | null {
  if (text.length > MAX_URL_CHARACTERS) return null
  try {
    const url = parseRequestUrl(text, { allowHttp: false, ports: [], testHosts: new Map() })
    const domain = canonicalDomain(url.hostname)
    const isPublic =
      domain !== null && domain.includes('.') && isIP(url.hostname) === 0 && !PRIVATE_DOMAINS.test(domain)
    return isPublic && domain !== config.localDomain && domain !== config.webDomain ? url : null
  } catch (err) {
    if (err instanceof FetchRefusedError) return null
    throw err
  }
}

async function record(
  tx: Tx,
  { by, action, id, label }: { by: Actor; action: 'create' | 'delete'; id: string; label: string },
): Promise<void> {
  await recordAuditEntry(tx, { by, action, targetType: 'relay', targetId: id, label })
}

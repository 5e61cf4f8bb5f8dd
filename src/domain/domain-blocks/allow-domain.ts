import { NotFoundError } from '../../lib/errors.ts'
import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read, Tx } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { parseDomain, parseRemoteDomain } from './parse-domain.ts'

export interface DomainAllowRow {
  id: string
  domain: string
  created_at: Date
}

const KEYSET = keysetClause('d.id')
const SELECT = `select d.id, d.domain, d.created_at from domain_allows d`

const listDescending = statement<{ params: PageParameters; row: DomainAllowRow }>(
  `${SELECT} where ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters; row: DomainAllowRow }>(
  `${SELECT} where ${KEYSET.where} ${KEYSET.ascending}`,
)
const find = statement<{ params: { id: string }; row: DomainAllowRow }>(`${SELECT} where d.id = $id`)
const findByDomain = statement<{ params: { domain: string }; row: { id: string } }>(
  `select id from domain_allows where domain = $domain for key share`,
)
const insert = statement<{ params: { domain: string; now: Date }; row: { id: string } }>(
  `insert into domain_allows (domain, created_at) values ($domain, $now) on conflict (domain) do nothing returning id`,
)
const remove = statement<{ params: { id: string }; row: { domain: string } }>(
  `delete from domain_allows where id = $id returning domain`,
)

/** Returns a page of allowed domains, newest first (Mastodon: GET /api/v1/admin/domain_allows). */
export async function listDomainAllows(read: Read, { page }: { page: Page }): Promise<DomainAllowRow[]> {
  const params = pageParameters(page)
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/** Returns an allowed domain (Mastodon: GET /api/v1/admin/domain_allows/:id). @throws NotFoundError */
export async function findDomainAllow(read: Read, { id }: { id: string }): Promise<DomainAllowRow> {
  const [row] = await find(read.db, { id })
  if (!row) throw new NotFoundError()
  return row
}

/**
 * Allows a domain; nothing changes if it is allowed already (Mastodon: POST /api/v1/admin/domain_allows). Returns the id
 * of the row.
 * @throws ValidationError for an invalid domain, and for those of this server
 */
export async function allowDomain(tx: Tx, { by, domain: input }: { by: Actor; domain: string }): Promise<string> {
  const domain = parseRemoteDomain(tx.config, input)
  const [added] = await insert(tx.db, { domain, now: tx.now })
  if (!added) return (await findByDomain(tx.db, { domain }))[0]!.id
  await recordAuditEntry(tx, {
    by,
    action: 'create',
    targetType: 'domain_allow',
    targetId: added.id,
    label: domain,
  })
  return added.id
}

/**
 * Removes an allowed domain (Mastodon: DELETE /api/v1/admin/domain_allows/:id). With limited federation, jobs remove the
 * accounts of the domain.
 * @throws NotFoundError
 */
export async function removeDomainAllow(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const [row] = await remove(tx.db, { id })
  if (!row) throw new NotFoundError()
  tx.emit('domain_allow.removed', { domain: row.domain, at: tx.now.getTime() })
  await recordAuditEntry(tx, { by, action: 'delete', targetType: 'domain_allow', targetId: id, label: row.domain })
}

/** Removes the allow of a domain, like `removeDomainAllow`. @throws NotFoundError; ValidationError for an invalid domain */
export async function removeAllowOfDomain(tx: Tx, { domain: input, by }: { domain: string; by: Actor }): Promise<void> {
  const domain = parseDomain(input)
  const [row] = await findByDomain(tx.db, { domain })
  if (!row) throw new NotFoundError(`${domain} is not allowed`)
  await removeDomainAllow(tx, { id: row.id, by })
}

import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../core/keyset-page.ts'
import type { PageParameters } from '../core/keyset-page.ts'
import type { DomainBlockSettings } from './set-domain-block.ts'

/** A block as staff see it. */
export interface DomainBlockRow extends DomainBlockSettings {
  id: string
  createdAt: Date
}

const SELECT = `select b.id, b.domain, b.severity, b.reject_media as "rejectMedia", b.reject_reports as "rejectReports",
  b.public_comment as "publicComment", b.private_comment as "privateComment", b.obfuscate,
  b.created_at as "createdAt" from domain_blocks b`
const KEYSET = keysetClause('b.id')

const listAll = statement<{ row: DomainBlockRow }>(`${SELECT} order by b.domain`)
const listDescending = statement<{ params: PageParameters; row: DomainBlockRow }>(
  `${SELECT} where ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters; row: DomainBlockRow }>(
  `${SELECT} where ${KEYSET.where} ${KEYSET.ascending}`,
)
const find = statement<{ params: { id: string }; row: DomainBlockRow }>(`${SELECT} where b.id = $id`)

/** Returns all domain blocks, ordered by domain. */
export async function listDomainBlocks(read: Read): Promise<DomainBlockRow[]> {
  return listAll(read.db)
}

/** Returns a page of domain blocks, newest first (Mastodon: GET /api/v1/admin/domain_blocks). */
export async function listDomainBlockPage(read: Read, { page }: { page: Page }): Promise<DomainBlockRow[]> {
  const params = pageParameters(page)
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/** Returns a domain block by its id. */
export async function findDomainBlockById(read: Read, { id }: { id: string }): Promise<DomainBlockRow | null> {
  const [row] = await find(read.db, { id })
  return row ?? null
}

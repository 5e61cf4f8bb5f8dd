import { NotFoundError, UnprocessableError } from '../../../../lib/errors.ts'
import { isId } from '../../../../lib/ids.ts'
import type { Page } from '../../../../lib/page.ts'
import { canonicalDomain } from '../../../../lib/usernames.ts'
import { statement } from '../../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../../core/keyset-page.ts'
import type { PageParameters } from '../../../core/keyset-page.ts'
import { recordAuditEntry } from '../../../core/record-audit-entry.ts'
import type { Actor } from '../../../core/record-audit-entry.ts'
import type { DraftedBlock } from './draft-domain-blocks.ts'

const RETENTION_DAYS = 30

export interface ImportRow {
  id: string
  state: 'draft' | 'applying' | 'applied'
  overwrite: boolean
  created_at: Date
  finished_at: Date | null
  new: number
  changed: number
  unchanged: number
  invalid: number
  selected: number
  applied: number
  skipped: number
  failed: number
}

type ImportCount = 'new' | 'changed' | 'unchanged' | 'invalid' | 'selected' | 'applied' | 'skipped' | 'failed'

export interface ImportedBlockRow {
  id: string
  line: number
  domain: string
  severity: 'noop' | 'silence' | 'suspend'
  reject_media: boolean
  reject_reports: boolean
  public_comment: string
  obfuscate: boolean
  status: DraftedBlock['status']
  weakens: boolean
  error: string | null
  accounts_count: number
  follows_count: number
  state: 'draft' | 'selected' | 'applied' | 'skipped' | 'failed'
}

const insertImport = statement<{ params: { now: Date }; row: { id: string } }>(
  `insert into domain_block_imports (created_at) values ($now) returning id`,
)
// The first line gets the highest id, because pages begin with the highest id.
const insertRows = statement<{ params: { importId: string; rows: string } }>(
  `insert into domain_block_import_rows (import_id, line, domain, severity, reject_media, reject_reports,
     public_comment, obfuscate, status, weakens, error, accounts_count, follows_count)
   select $importId, line, domain, severity, "rejectMedia", "rejectReports", "publicComment", obfuscate, status,
     weakens, error, accounts, follows
   from jsonb_to_recordset($rows::jsonb) r (line integer, domain text, severity text, "rejectMedia" boolean,
     "rejectReports" boolean, "publicComment" text, obfuscate boolean, status text, weakens boolean, error text,
     accounts integer, follows integer)
   order by line desc`,
)
// Counts the rows of the found imports only.
const SELECT_IMPORT = `select i.id, i.state, i.overwrite, i.created_at, i.finished_at, counts.*
   from domain_block_imports i cross join lateral (
     select count(*) filter (where r.status = 'new')::int as "new",
       count(*) filter (where r.status = 'changed')::int as changed,
       count(*) filter (where r.status = 'unchanged')::int as unchanged,
       count(*) filter (where r.status = 'invalid')::int as invalid,
       count(*) filter (where r.state = 'selected')::int as selected,
       count(*) filter (where r.state = 'applied')::int as applied,
       count(*) filter (where r.state = 'skipped')::int as skipped,
       count(*) filter (where r.state = 'failed')::int as failed
     from domain_block_import_rows r where r.import_id = i.id
   ) counts`
const find = statement<{ params: { id: string }; row: ImportRow; notNull: ImportCount }>(
  `${SELECT_IMPORT} where i.id = $id`,
)
const IMPORT_KEYSET = keysetClause('i.id')
const listImportsDescending = statement<{ params: PageParameters; row: ImportRow; notNull: ImportCount }>(
  `${SELECT_IMPORT} where ${IMPORT_KEYSET.where} ${IMPORT_KEYSET.descending}`,
)
const listImportsAscending = statement<{ params: PageParameters; row: ImportRow; notNull: ImportCount }>(
  `${SELECT_IMPORT} where ${IMPORT_KEYSET.where} ${IMPORT_KEYSET.ascending}`,
)
const lock = statement<{ params: { id: string }; row: { state: string } }>(
  `select state from domain_block_imports where id = $id for update`,
)
const KEYSET = keysetClause('r.id')
const SELECT = `select r.id, r.line, r.domain, r.severity, r.reject_media, r.reject_reports, r.public_comment,
  r.obfuscate, r.status, r.weakens, r.error, r.accounts_count, r.follows_count, r.state
  from domain_block_import_rows r where r.import_id = $importId`
const listDescending = statement<{ params: PageParameters & { importId: string }; row: ImportedBlockRow }>(
  `${SELECT} and ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters & { importId: string }; row: ImportedBlockRow }>(
  `${SELECT} and ${KEYSET.where} ${KEYSET.ascending}`,
)
const select = statement<{
  params: { importId: string; ids: readonly string[] | null; domains: readonly string[] | null }
  row: { id: string }
}>(
  `update domain_block_import_rows set state = 'selected'
   where import_id = $importId and status in ('new', 'changed')
     and (($ids::bigint[] is null and $domains::text[] is null) or id = any($ids::bigint[])
       or domain = any($domains::text[]))
   returning id`,
)
const confirm = statement<{ params: { id: string; overwrite: boolean } }>(
  `update domain_block_imports set state = 'applying', overwrite = $overwrite where id = $id`,
)
const remove = statement<{ params: { id: string }; row: { id: string } }>(
  `delete from domain_block_imports where id = $id returning id`,
)
const prune = statement<{ params: { now: Date } }>(
  `delete from domain_block_imports
   where created_at < $now::timestamptz - make_interval(days => ${RETENTION_DAYS}) and state <> 'applying'`,
)

/** Stores a drafted list (Linnet: POST /api/v1/admin/domain_block_imports). Returns the id of the import. */
export async function createDomainBlockImport(
  tx: Tx,
  { by, drafts }: { by: Actor; drafts: readonly DraftedBlock[] },
): Promise<string> {
  const [row] = await insertImport(tx.db, { now: tx.now })
  const { id } = row!
  await insertRows(tx.db, {
    importId: id,
    rows: JSON.stringify(drafts.map(({ block, ...rest }) => ({ ...block, ...rest }))),
  })
  await record(tx, { by, action: 'create', id, details: { rows: drafts.length } })
  return id
}

/** Returns an import with the numbers of its rows. @throws NotFoundError */
export async function findDomainBlockImport(read: Read, { id }: { id: string }): Promise<ImportRow> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return row
}

/** Returns a page of the imports of the last 30 days, the newest first. */
export async function listDomainBlockImports(read: Read, { page }: { page: Page }): Promise<ImportRow[]> {
  const params = pageParameters(page)
  return readKeysetPage(page, {
    descending: () => listImportsDescending(read.db, params),
    ascending: () => listImportsAscending(read.db, params),
  })
}

/** Returns a page of the rows of an import, in the order of the file. @throws NotFoundError */
export async function listImportedBlocks(
  read: Read,
  { importId, page }: { importId: string; page: Page },
): Promise<ImportedBlockRow[]> {
  await findDomainBlockImport(read, { id: importId })
  const params = { importId, ...pageParameters(page) }
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/**
 * Selects rows of a draft, by their ids or domains or all of them, for the job that applies them. Unchanged and invalid
 * rows are never applied. Returns the number of selected rows.
 * @throws NotFoundError; UnprocessableError if it was confirmed before
 */
export async function confirmDomainBlockImport(
  tx: Tx,
  {
    id,
    by,
    ids = null,
    domains = null,
    overwrite,
  }: {
    id: string
    by: Actor
    ids?: readonly string[] | null
    domains?: readonly string[] | null
    overwrite: boolean
  },
): Promise<number> {
  const [found] = isId(id) ? await lock(tx.db, { id }) : []
  if (!found) throw new NotFoundError()
  if (found.state !== 'draft') throw new UnprocessableError('This list has been confirmed already')
  const selected = await select(tx.db, {
    importId: id,
    ids: ids && ids.filter(isId),
    domains: domains && domains.flatMap((domain) => canonicalDomain(domain) ?? []),
  })
  await confirm(tx.db, { id, overwrite })
  await record(tx, { by, action: 'confirm', id, details: { rows: selected.length, overwrite } })
  tx.emit('domain_block_import.confirmed', { importId: id, accountId: by?.accountId ?? null })
  return selected.length
}

/** Deletes an import; rows that have not been applied yet never are. @throws NotFoundError */
export async function deleteDomainBlockImport(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const [row] = isId(id) ? await remove(tx.db, { id }) : []
  if (!row) throw new NotFoundError()
  await record(tx, { by, action: 'delete', id })
}

/** Effect: deletes imports after 30 days. The blocks stay. */
export async function pruneDomainBlockImports(ctx: Ctx): Promise<void> {
  await prune(ctx.db, { now: ctx.now() })
}

async function record(
  tx: Tx,
  {
    by,
    action,
    id,
    details,
  }: { by: Actor; action: 'create' | 'confirm' | 'delete'; id: string; details?: Readonly<Record<string, unknown>> },
): Promise<void> {
  await recordAuditEntry(tx, {
    by,
    action,
    targetType: 'domain_block_import',
    targetId: id,
    label: 'domain block import',
    ...(details && { details }),
  })
}

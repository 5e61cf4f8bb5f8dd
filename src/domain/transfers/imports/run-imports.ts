import { RequestError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { usableUser } from '../../access/usable-account.ts'
import type { Ctx, Read } from '../../context.ts'
import { applyRows } from './apply-rows.ts'
import type { ResolvedRow } from './apply-rows.ts'
import type { ImportType, RunningImport, WaitingRow } from './import-formats.ts'
import { removeMissing } from './remove-missing.ts'
import { resolveRows } from './resolve-rows.ts'

/** How many rows one job applies, in one transaction; filters, each in its own. */
const ROWS_PER_JOB = 100
const FILTERS_PER_JOB = 5

// The state is checked again after waiting for a concurrent job, which may have finished the import. That job emits the
// event again, so the next import does not wait.
const startNext = statement<{ params: { accountId: string }; row: RunningImport }>(
  `update account_imports i set state = 'in_progress'
   where i.id = (select id from account_imports where account_id = $accountId and state in ('scheduled', 'in_progress')
       and type <> 'archive' order by id limit 1)
     and i.state in ('scheduled', 'in_progress')
   returning i.id, i.type, i.removed_until`,
)
const isUsable = statement<{ params: { accountId: string }; row: { id: string } }>(
  `select a.id from accounts a join users u on u.account_id = a.id
   where a.id = $accountId and ${usableUser()} and a.moved_to_account_id is null`,
)
const findWaiting = statement<{ params: { importId: string; limit: number }; row: WaitingRow }>(
  `select id, key, cells from account_import_rows where import_id = $importId and not failed order by id limit $limit`,
)
// A concurrent job waits here, and then finds none of the rows.
const takeRows = statement<{ params: { ids: readonly string[] }; row: { id: string } }>(
  `select id from account_import_rows where id = any($ids::bigint[]) and not failed order by id for update`,
)
// Counts rows together with their deletion, so that a row counts once, however often a job runs.
const finishRows = statement<{
  params: { importId: string; importedIds: readonly string[]; failedIds: readonly string[] }
}>(
  `with imported as (
     delete from account_import_rows where id = any($importedIds::bigint[]) returning id
   ), failures as (
     update account_import_rows set failed = true where id = any($failedIds::bigint[]) returning id
   )
   update account_imports set imported_items = imported_items + (select count(*) from imported),
     processed_items = processed_items + (select count(*) from imported) + (select count(*) from failures)
   where id = $importId`,
)
const failAll = statement<{ params: { importId: string } }>(
  `update account_import_rows set failed = true where import_id = $importId and not failed`,
)
const finish = statement<{ params: { id: string; now: Date } }>(
  `update account_imports set state = 'finished', processed_items = total_items, finished_at = $now
   where id = $id and state = 'in_progress'`,
)

/** Returns whether the account may import: it is usable and has not moved. */
export async function mayImport(read: Read, { accountId }: { accountId: string }): Promise<boolean> {
  return (await isUsable(read.db, { accountId })).length > 0
}

/**
 * Effect: continues the oldest import of a list of an account: removes some of the entries that the file lacks, or
 * applies some rows. Emits the event again until all imports are finished. What it repeats after a crash has no effect.
 */
export async function runImports(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [running] = await ctx.write((tx) => startNext(tx.db, { accountId }))
  if (!running) return
  const { id, removed_until: removedUntil } = running
  if (!(await mayImport(ctx, { accountId }))) {
    await ctx.write(async (tx) => {
      await failAll(tx.db, { importId: id })
      await finish(tx.db, { id, now: tx.now })
    })
  } else if (removedUntil !== null) {
    await removeMissing(ctx, { accountId, running: { ...running, removed_until: removedUntil } })
  } else {
    await continueImport(ctx, { accountId, running })
  }
  await ctx.write(async (tx) => tx.emit('account_import.due', { accountId }))
}

async function continueImport(
  ctx: Ctx,
  { accountId, running: { id: importId, type } }: { accountId: string; running: RunningImport },
): Promise<void> {
  const limit = type === 'filters' ? FILTERS_PER_JOB : ROWS_PER_JOB
  const rows = await findWaiting(ctx.db, { importId, limit })
  if (rows.length === 0) {
    await ctx.write((tx) => finish(tx.db, { id: importId, now: tx.now }))
    return
  }
  const targets = await resolveRows(ctx, { accountId, type, rows })
  const resolved = rows.flatMap(({ id, key, cells }) => {
    const targetIds = targets.get(id)
    return key === null || !targetIds ? [] : [{ id, key, cells, targetIds }]
  })
  const known = new Set(resolved.map(({ id }) => id))
  const failedIds = rows.filter(({ id }) => !known.has(id)).map(({ id }) => id)
  const set = { accountId, importId, type }
  // A filter has up to a thousand statuses.
  const sets = type === 'filters' ? resolved.map((row) => [row]) : [resolved]
  for (const rowsOfSet of sets) await applySet(ctx, { ...set, rows: rowsOfSet })
  await writeSet(ctx, { ...set, rows: [], failedIds })
}

interface RowSet {
  accountId: string
  importId: string
  type: ImportType
  rows: readonly ResolvedRow[]
}

/** Applies rows in one transaction; if one of them prevents that, each alone. */
async function applySet(ctx: Ctx, set: RowSet): Promise<void> {
  try {
    await writeSet(ctx, { ...set, failedIds: [] })
  } catch (err) {
    if (!(err instanceof RequestError)) throw err
    const { rows } = set
    if (rows.length === 1) await writeSet(ctx, { ...set, rows: [], failedIds: [rows[0]!.id] })
    else for (const row of rows) await applySet(ctx, { ...set, rows: [row] })
  }
}

/** Applies rows, and records them and the rows that failed before, in one transaction. */
async function writeSet(
  ctx: Ctx,
  { accountId, importId, type, rows, failedIds }: RowSet & { failedIds: readonly string[] },
): Promise<void> {
  if (rows.length === 0 && failedIds.length === 0) return
  await ctx.write(async (tx) => {
    const taken = await takeRows(tx.db, { ids: [...rows.map(({ id }) => id), ...failedIds] })
    const ids = new Set(taken.map((row) => row.id))
    const waiting = rows.filter(({ id }) => ids.has(id))
    const refused = waiting.length === 0 ? null : await applyRows(tx, { accountId, type, rows: waiting })
    const failed = new Set([...failedIds.filter((id) => ids.has(id)), ...(refused ?? [])])
    const importedIds = waiting.map(({ id }) => id).filter((id) => !failed.has(id))
    await finishRows(tx.db, { importId, importedIds, failedIds: [...failed] })
  })
}

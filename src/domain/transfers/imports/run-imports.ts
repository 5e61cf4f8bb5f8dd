import { RequestError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Ctx, Read } from '../../context.ts'
import { applyRow } from './apply-row.ts'
import type { RunningImport, WaitingRow } from './import-formats.ts'
import { removeMissing } from './remove-missing.ts'
import { resolveRows } from './resolve-rows.ts'

/** How many rows one job applies, each in its own transaction. A filter has up to a thousand statuses. */
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
   where a.id = $accountId and ${usableAccount()} and u.disabled_at is null and a.moved_to_account_id is null`,
)
const findWaiting = statement<{ params: { importId: string; limit: number }; row: WaitingRow }>(
  `select id, key, cells from account_import_rows where import_id = $importId and not failed order by id limit $limit`,
)
// Counts a row together with its deletion, so that a row counts once, however often a job runs.
const finishRow = statement<{ params: { id: string }; row: { id: string } }>(
  `with taken as (delete from account_import_rows where id = $id and not failed returning import_id)
   update account_imports i set processed_items = processed_items + 1, imported_items = imported_items + 1
   from taken where i.id = taken.import_id returning i.id`,
)
const failRow = statement<{ params: { id: string } }>(
  `with taken as (update account_import_rows set failed = true where id = $id and not failed returning import_id)
   update account_imports i set processed_items = processed_items + 1 from taken where i.id = taken.import_id`,
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
 * Effect: continues the oldest import of a list of an account: removes some of the entries that the file lacks, or applies some
 * rows. Emits the event again until all imports are finished. What it repeats after a crash has no effect.
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
    await applyRows(ctx, { accountId, running })
  }
  await ctx.write(async (tx) => tx.emit('account_import.due', { accountId }))
}

async function applyRows(
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
  for (const { id, cells } of rows) {
    const targetIds = targets.get(id)
    const isApplied = targetIds
      ? await ctx
          .write(async (tx) => {
            const [taken] = await finishRow(tx.db, { id })
            if (taken) await applyRow(tx, { accountId, type, cells, targetIds })
            return true
          })
          .catch((err: unknown) => {
            if (err instanceof RequestError) return false
            throw err
          })
      : false
    if (!isApplied) await ctx.write((tx) => failRow(tx.db, { id }))
  }
}

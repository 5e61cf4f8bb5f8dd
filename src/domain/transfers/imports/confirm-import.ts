import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { CONFIRMATION_MINUTES } from './find-imports.ts'

const RETENTION_DAYS = 7

const confirm = statement<{ params: { id: string; accountId: string; now: Date }; row: { id: string } }>(
  `update account_imports set state = 'scheduled'
   where id = $id and account_id = $accountId and state = 'unconfirmed'
     and created_at > $now::timestamptz - make_interval(mins => ${CONFIRMATION_MINUTES})
   returning id`,
)
const remove = statement<{ params: { id: string; accountId: string }; row: { id: string } }>(
  `delete from account_imports where id = $id and account_id = $accountId and state = 'unconfirmed' returning id`,
)
const prune = statement<{ params: { now: Date } }>(
  `delete from account_imports
   where created_at < $now::timestamptz - make_interval(days => ${RETENTION_DAYS})
     or (state = 'unconfirmed' and created_at < $now::timestamptz - make_interval(mins => ${CONFIRMATION_MINUTES}))`,
)
const findUnfinished = statement<{ row: { account_id: string } }>(
  `select distinct account_id from account_imports where state in ('scheduled', 'in_progress')`,
)

/**
 * Confirms an import, which a job then applies (Mastodon: POST /settings/imports/:id/confirm).
 * @throws NotFoundError, also if it was confirmed before or has expired
 */
export async function confirmImport(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  const [row] = isId(id) ? await confirm(tx.db, { id, accountId, now: tx.now }) : []
  if (!row) throw new NotFoundError()
  tx.emit('account_import.due', { accountId })
}

/** Deletes an unconfirmed import (Mastodon: DELETE /settings/imports/:id). @throws NotFoundError */
export async function cancelImport(tx: Tx, { id, accountId }: { id: string; accountId: string }): Promise<void> {
  const [row] = isId(id) ? await remove(tx.db, { id, accountId }) : []
  if (!row) throw new NotFoundError()
}

/**
 * Effect: deletes imports after a week, and those that were not confirmed in time. Starts the jobs of the unfinished
 * ones again, in case that one was given up after repeated failures.
 */
export async function pruneImports(ctx: Ctx): Promise<void> {
  await ctx.write(async (tx) => {
    await prune(tx.db, { now: tx.now })
    for (const { account_id: accountId } of await findUnfinished(tx.db)) tx.emit('account_import.due', { accountId })
  })
}

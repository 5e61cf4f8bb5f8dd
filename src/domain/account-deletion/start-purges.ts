import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { deleteAccount, removeProfile } from './delete-account.ts'
import { recordPurgeStart, schedulePurges } from './schedule-purges.ts'

/** How many purges one tick requests at most: a domain block may suspend tens of thousands of accounts at once. */
const MAX_REQUESTED = 500

const findDue = statement<{ params: { now: Date }; row: { id: string } }>(
  `select account_id as id from account_purges where due_at <= $now and started_at is null
   order by due_at, account_id limit ${MAX_REQUESTED}`,
)
const lockSuspended = statement<{ params: { accountId: string }; row: { is_local: boolean } }>(
  `select domain is null as is_local from accounts
   where id = $accountId and suspended_at is not null and not suspended_by_origin for no key update`,
)
const findPurge = statement<{ params: { accountId: string }; row: { due_at: Date; started_at: Date | null } }>(
  `select due_at, started_at from account_purges where account_id = $accountId`,
)

/** Effect: requests the purges of accounts that were suspended 30 days ago. Later ticks request the remaining ones. */
export async function requestDuePurges(ctx: Ctx): Promise<void> {
  await ctx.write(async (tx) => {
    for (const { id } of await findDue(tx.db, { now: tx.now })) tx.emit('account.purge_due', { accountId: id })
  })
}

/** Effect: starts the purge of a suspended account, unless its suspension has ended or began again meanwhile. */
export async function startDuePurge(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    await lockAccounts(tx, { ids: [accountId] })
    if ((await lockSuspended(tx.db, { accountId })).length === 0) return
    const [purge] = await findPurge(tx.db, { accountId })
    if (purge && purge.started_at === null && purge.due_at <= tx.now) await startPurge(tx, { accountId })
  })
}

/**
 * Deletes the profile of a suspended account, and requests the deletion of all its data. Its row stays, suspended: a
 * local username remains reserved, and a remote account cannot return by being fetched again. From now on, the
 * suspension of a local account cannot be undone.
 * @throws NotFoundError if this server has not suspended the account
 */
export async function startPurge(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await lockAccounts(tx, { ids: [accountId] })
  const [account] = await lockSuspended(tx.db, { accountId })
  if (!account) throw new NotFoundError()
  await schedulePurges(tx, { accountIds: [accountId] })
  if (account.is_local) return deleteAccount(tx, { accountId })
  await recordPurgeStart(tx, { accountId })
  await removeProfile(tx, { accountId })
  tx.emit('account.purge_requested', { accountId })
}

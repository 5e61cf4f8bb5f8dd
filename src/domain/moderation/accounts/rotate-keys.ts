import { ForbiddenError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import { lockTarget, recordAction } from '../lock-target.ts'
import type { ActionInput } from '../lock-target.ts'

/** The accounts that one transaction reads. Their keys are replaced within five minutes, like Mastodon's. */
const BATCH_SIZE = 1_000
const BATCH_MS = 5 * 60_000

const findVersion = statement<{ params: { accountId: string }; row: { version: number } }>(
  `select version from actor_keys where account_id = $accountId and private_key is not null`,
)
const HAS_KEY = `a.domain is null and a.suspended_at is null and k.private_key is not null`
const findBatch = statement<{ params: { after: string }; row: { id: string; version: number } }>(
  `select a.id, k.version from accounts a join actor_keys k on k.account_id = a.id
   where a.id > $after and ${HAS_KEY} order by a.id limit ${BATCH_SIZE}`,
)
const countKeys = statement<{ row: { accounts: number } }>(
  `select count(*)::int as accounts from accounts a join actor_keys k on k.account_id = a.id where ${HAS_KEY}`,
)

/** Returns whether an account has a key pair, which it gets only when another server needs it. */
export async function hasKey({ db }: Pick<Ctx, 'db'>, { accountId }: { accountId: string }): Promise<boolean> {
  return (await findVersion(db, { accountId })).length > 0
}

/**
 * Requests a new key pair for a local account; a job replaces it. An account that has never federated has no key yet,
 * so nothing happens.
 * @throws NotFoundError; ForbiddenError for remote accounts, and for users whose role has the same or a higher position
 */
export async function requestKeyRotation(tx: Tx, { accountId, by }: ActionInput): Promise<void> {
  const target = await lockTarget(tx, { accountId, by })
  if (target.user_id === null) throw new ForbiddenError()
  const [key] = await findVersion(tx.db, { accountId })
  if (!key) return
  tx.emit('account.key_rotation_requested', { accountId, version: key.version })
  await recordAction(tx, { by, target, action: 'rotate_keys' })
}

/**
 * Requests new key pairs for all local accounts that are not suspended. Jobs replace them one after the other, 1,000 in
 * five minutes, because each causes a request to every server with followers. Returns the number of accounts, with
 * `dryRun` of those that would get a key, and the time of the last job. `onProgress`: called with the part that is
 * done, from 0 to 1.
 */
export async function requestAllKeyRotations(
  ctx: Ctx,
  { dryRun, onProgress }: { dryRun: boolean; onProgress: (done: number) => void },
): Promise<{ accounts: number; until: Date | null }> {
  const [count] = await countKeys(ctx.db)
  const total = count!.accounts
  const start = ctx.now().getTime()
  const timeOf = (position: number) => new Date(start + (position * BATCH_MS) / BATCH_SIZE)
  if (dryRun) return { accounts: total, until: total === 0 ? null : timeOf(total - 1) }
  let [accounts, after] = [0, '0']
  for (;;) {
    const rows = await ctx.write(async (tx) => {
      const batch = await findBatch(tx.db, { after })
      for (const [n, { id, version }] of batch.entries())
        tx.emit('account.key_rotation_requested', { accountId: id, version }, timeOf(accounts + n))
      if (batch.length > 0)
        await recordAuditEntry(tx, {
          by: null,
          action: 'rotate_keys',
          targetType: 'account',
          targetId: null,
          label: 'local accounts',
          details: { accounts: batch.length },
        })
      return batch
    })
    if (rows.length === 0) return { accounts, until: accounts === 0 ? null : timeOf(accounts - 1) }
    accounts += rows.length
    after = rows.at(-1)!.id
    onProgress(Math.min(1, accounts / total))
  }
}

import { statement } from '../../platform/db/statement.ts'
import { removeRemoteAccount } from '../accounts/remote/remove-remote-account.ts'
import type { Ctx, Read } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import { CLEARED_COLUMNS } from './delete-account-rows.ts'

/** The accounts that one transaction removes. */
const BATCH_SIZE = 200

/** An account that was fetched so lately may be about to get its first relation. */
const MIN_AGE_HOURS = 24

const RELATIONS = [
  ...CLEARED_COLUMNS,
  'statuses.account_id',
  'favourites.account_id',
  'follows.account_id',
  'follows.target_account_id',
  'media_attachments.account_id',
  'accounts.moved_to_account_id',
]
const hasRelation = RELATIONS.map((name) => {
  const [table, column] = name.split('.')
  return `exists (select from ${table} x where x.${column} = a.id)`
}).join(' or ')

const IS_CANDIDATE = `a.domain is not null and a.suspended_at is null and a.silenced_at is null
  and a.actor_type not in ('Service', 'Application', 'Group')
  and a.updated_at < $now::timestamptz - make_interval(hours => ${MIN_AGE_HOURS})
  and coalesce(a.refreshed_at, a.updated_at) < $now::timestamptz - make_interval(hours => ${MIN_AGE_HOURS})`

// Reads a batch of accounts, whether or not any of them can be removed.
const findBatch = statement<{
  params: { after: string; now: Date }
  row: { last: string | null; examined: number; id: string | null }
}>(
  `with batch as (
     select * from accounts where id > $after and domain is not null order by id limit ${BATCH_SIZE}
   )
   select (select max(id) from batch) as last, (select count(*)::int from batch) as examined, unused.id
   from (select) single left join (select a.id from batch a where ${IS_CANDIDATE} and not (${hasRelation})) unused on true`,
)
// Transactions that insert rows of an account lock its row, so none can do so after this lock.
const lock = statement<{ params: { ids: readonly string[] } }>(
  `select from accounts where id = any($ids::bigint[]) order by id for update`,
)
const findUnused = statement<{ params: { ids: readonly string[]; now: Date }; row: { uri: string } }>(
  `select a.uri from accounts a where a.id = any($ids::bigint[]) and ${IS_CANDIDATE} and not (${hasRelation})`,
)
const countAccounts = statement<{ row: { accounts: number } }>(
  `select count(*)::int as accounts from accounts where domain is not null`,
)

/**
 * Removes the remote accounts without any relation to other data, which are recorded again when they are needed. Limited
 * and suspended accounts, bots and groups stay. Returns the number of removed accounts, with `dryRun` of those that
 * would be. `onProgress`: called with the part that is done, from 0 to 1.
 */
export async function pruneRemoteAccounts(
  ctx: Ctx,
  { dryRun, onProgress }: { dryRun: boolean; onProgress: (done: number) => void },
): Promise<number> {
  const total = await countRemoteAccounts(ctx)
  let [removed, examined, after] = [0, 0, '0']
  for (;;) {
    const rows = await findBatch(ctx.db, { after, now: ctx.now() })
    const last = rows[0]?.last ?? null
    if (last === null) return removed
    const ids = rows.flatMap(({ id }) => id ?? [])
    removed += dryRun ? ids.length : await removeUnused(ctx, { ids })
    after = last
    examined += rows[0]!.examined
    onProgress(Math.min(1, examined / total))
  }
}

async function countRemoteAccounts(read: Read): Promise<number> {
  const [row] = await countAccounts(read.db)
  return row!.accounts
}

async function removeUnused(ctx: Ctx, { ids }: { ids: readonly string[] }): Promise<number> {
  if (ids.length === 0) return 0
  return ctx.write(async (tx) => {
    await lock(tx.db, { ids })
    const unused = await findUnused(tx.db, { ids, now: tx.now })
    for (const { uri } of unused) await removeRemoteAccount(tx, { uri, mayReturn: true })
    if (unused.length > 0)
      await recordAuditEntry(tx, {
        by: null,
        action: 'prune',
        targetType: 'account',
        targetId: null,
        label: 'remote accounts',
        details: { accounts: unused.length },
      })
    return unused.length
  })
}

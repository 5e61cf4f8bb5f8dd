import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { checkRecentAuthentication } from '../../auth/two-factor/recent-authentication.ts'
import type { OwnSession } from '../../auth/two-factor/recent-authentication.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { invalidAliasError } from './account-aliases.ts'
import { resolveAccount } from '../lookup/resolve-account.ts'
import { usableAccount } from '../../access/usable-account.ts'

/** Days until a local account can move again. */
export const MIGRATION_COOLDOWN_DAYS = 30

/** Days after a Move of a remote account in which further ones are ignored. */
const REMOTE_MIGRATION_COOLDOWN_DAYS = 7

const DAY_MS = 86_400_000

interface MigrationPair {
  domain: string | null
  moved_to_account_id: string | null
  /** Whether the target has the account as an alias. */
  is_alias: boolean
  target_moved: boolean
  moved_recently: boolean
  followers_count: number
}

// The locks order this transaction and a concurrent removal of the alias: the move sees the alias before or after it.
const lockMigrationPair = statement<{
  params: { accountId: string; targetAccountId: string; since: Date }
  row: MigrationPair
}>(
  `select a.domain, a.moved_to_account_id, a.uri = any(t.also_known_as) as is_alias,
     t.moved_to_account_id is not null as target_moved, st.followers_count,
     exists (select from account_moves m where m.account_id = $accountId and m.created_at > $since) as moved_recently
   from accounts a join account_stats st on st.account_id = a.id, accounts t left join users u on u.account_id = t.id
   where a.id = $accountId and t.id = $targetAccountId and a.suspended_at is null and ${usableAccount('t')}
   for no key update of a for share of t`,
)
const setMoveTarget = statement<{ params: { accountId: string; targetAccountId: string; now: Date } }>(
  `update accounts set moved_to_account_id = $targetAccountId, version = version + 1, updated_at = $now
    where id = $accountId`,
)
const insertMove = statement<{
  params: { accountId: string; targetAccountId: string; followersCount: number; now: Date }
  row: { id: string }
}>(
  `insert into account_moves (account_id, target_account_id, followers_count, created_at)
   values ($accountId, $targetAccountId, $followersCount, $now) returning id`,
)
const findUri = statement<{ params: { id: string }; row: { uri: string; domain: string | null } }>(
  `select uri, domain from accounts where id = $id`,
)

interface Move {
  accountId: string
  targetAccountId: string
}

/**
 * Moves a local account to another account, given by its handle or URL, which must have it as an alias; a remote target
 * is fetched again. Local and remote followers are moved to the target, and nobody can follow the old account any more.
 * @throws ValidationError (of `acct`) if no account is found, if it is the account itself, has no alias, is the present
 *   target, or has itself moved, and within thirty days after the last move; ForbiddenError if the session of the user
 *   (null: staff do it) has ended meanwhile
 */
export async function moveAccount(
  ctx: Ctx,
  { accountId, name, session }: { accountId: string; name: string; session: OwnSession | null },
): Promise<void> {
  const targetAccountId = await resolveFresh(ctx, { name, viewerId: accountId })
  if (targetAccountId === null) throw invalidAliasError('ERR_NOT_FOUND', 'could not be found')
  if (targetAccountId === accountId) throw invalidAliasError('ERR_SELF', 'is this very account')
  await ctx.write(async (tx) => {
    const pair = await lockPair(tx, { accountId, targetAccountId, cooldownDays: MIGRATION_COOLDOWN_DAYS })
    if (session) await checkRecentAuthentication(tx, session)
    if (!pair) throw invalidAliasError('ERR_NOT_FOUND', 'could not be found')
    if (pair.moved_to_account_id === targetAccountId)
      throw invalidAliasError('ERR_MOVED_THERE', 'is where you moved already')
    if (pair.target_moved) throw invalidAliasError('ERR_MOVED_ON', 'has moved itself')
    if (!pair.is_alias) throw invalidAliasError('ERR_NO_ALIAS', 'does not name this account as an alias')
    if (pair.moved_recently) throw invalidAliasError('ERR_TOO_SOON', 'can not be moved to yet')
    await move(tx, { accountId, targetAccountId, pair })
  })
}

/**
 * Records the move of a remote account. The caller has fetched the target again. Returns false and changes nothing if
 * the target does not have the account as an alias, is not usable or has itself moved, and within seven days after the
 * last move.
 */
export async function receiveMove(tx: Tx, { accountId, targetAccountId }: Move): Promise<boolean> {
  if (accountId === targetAccountId) return false
  const pair = await lockPair(tx, { accountId, targetAccountId, cooldownDays: REMOTE_MIGRATION_COOLDOWN_DAYS })
  if (!pair || pair.domain === null || pair.target_moved || !pair.is_alias || pair.moved_recently) return false
  await move(tx, { accountId, targetAccountId, pair })
  return true
}

const findLastMove = statement<{ params: { accountId: string }; row: { target_account_id: string } }>(
  `select m.target_account_id from account_moves m join accounts a on a.id = m.account_id
   where m.account_id = $accountId and a.domain is null order by m.created_at desc, m.id desc limit 1`,
)

/**
 * Returns the id of the target of the last move of a local account, also of a cancelled one; null if it never moved.
 */
export async function findLastTarget(read: Read, { accountId }: { accountId: string }): Promise<string | null> {
  const [last] = await findLastMove(read.db, { accountId })
  return last?.target_account_id ?? null
}

/**
 * Repeats the last move of a local account: its followers that stayed are moved, and get another Move activity. The
 * account redirects to that target again.
 * @throws NotFoundError if it never moved; ValidationError (of `acct`) if the target does not have it as an alias, or
 *   has itself moved
 */
export async function replayMove(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  const targetAccountId = await findLastTarget(tx, { accountId })
  if (targetAccountId === null) throw new NotFoundError()
  const pair = await lockPair(tx, { accountId, targetAccountId, cooldownDays: 0 })
  if (!pair) throw invalidAliasError('ERR_NOT_FOUND', 'could not be found')
  if (pair.target_moved) throw invalidAliasError('ERR_MOVED_ON', 'has moved itself')
  if (!pair.is_alias) throw invalidAliasError('ERR_NO_ALIAS', 'does not name this account as an alias')
  await move(tx, { accountId, targetAccountId, pair })
}

const clearMoveTarget = statement<{ params: { accountId: string; now: Date }; row: { id: string } }>(
  `update accounts set moved_to_account_id = null, version = version + 1, updated_at = $now
   where id = $accountId and domain is null and moved_to_account_id is not null returning id`,
)

/** Cancels the move of a local account, which is usable again. Followers that were moved stay at the target. */
export async function cancelMove(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  const rows = await clearMoveTarget(tx.db, { accountId, now: tx.now })
  if (rows.length > 0) tx.emit('account.updated', { accountId, mediaKeys: [] })
}

const selectMoveTarget = statement<{ params: { accountId: string }; row: { id: string }; notNull: 'id' }>(
  `select moved_to_account_id as id from accounts where id = $accountId and moved_to_account_id is not null`,
)

/** Returns the id of the account that an account has moved to; null if it has not moved. */
export async function findMoveTarget(read: Read, { accountId }: { accountId: string }): Promise<string | null> {
  const [row] = await selectMoveTarget(read.db, { accountId })
  return row?.id ?? null
}

async function lockPair(
  tx: Tx,
  { accountId, targetAccountId, cooldownDays }: Move & { cooldownDays: number },
): Promise<MigrationPair | undefined> {
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const since = new Date(tx.now.getTime() - cooldownDays * DAY_MS)
  const [pair] = await lockMigrationPair(tx.db, { accountId, targetAccountId, since })
  return pair
}

async function move(tx: Tx, { accountId, targetAccountId, pair }: Move & { pair: MigrationPair }): Promise<void> {
  await setMoveTarget(tx.db, { accountId, targetAccountId, now: tx.now })
  await insertMove(tx.db, { accountId, targetAccountId, followersCount: pair.followers_count, now: tx.now })
  tx.emit('account.moved', { accountId, targetAccountId })
}

/** Returns the id of the account with a handle or URL, after refreshing it from its server if it is remote; or null. */
async function resolveFresh(ctx: Ctx, { name, viewerId }: { name: string; viewerId: string }): Promise<string | null> {
  const id = await resolveAccount(ctx, { name, viewerId })
  const [found] = id === null ? [] : await findUri(ctx.db, { id })
  if (!found) return null
  return found.domain === null ? id : ctx.remote.refreshAccount({ uri: found.uri })
}

import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../context.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { wrongName } from './aliases.ts'
import { resolveAddress } from './resolve-address.ts'
import { usableAccount } from './usable.ts'

/** How long somebody of here has to wait until they can move again. */
export const MOVE_PAUSE_DAYS = 30

/** How long somebody elsewhere is not believed again that they have moved. */
const REMOTE_PAUSE_DAYS = 7

const DAY_MS = 86_400_000

interface Pair {
  domain: string | null
  moved_to_account_id: string | null
  /** Whether the other one names this one as its own. */
  is_named: boolean
  target_moved: boolean
  moved_lately: boolean
  followers_count: number
}

// The accounts are locked: an alias that is taken
// back at this moment counts or does not.
const find = statement<{ params: { accountId: string; targetAccountId: string; since: Date }; row: Pair }>(
  `select a.domain, a.moved_to_account_id, a.uri = any(t.also_known_as) as is_named,
     t.moved_to_account_id is not null as target_moved, st.followers_count,
     exists (select from account_moves m where m.account_id = $accountId and m.created_at > $since) as moved_lately
   from accounts a join account_stats st on st.account_id = a.id, accounts t left join users u on u.account_id = t.id
   where a.id = $accountId and t.id = $targetAccountId and a.suspended_at is null and ${usableAccount('t')}
   for no key update of a for share of t`,
)
const redirect = statement<{ params: { accountId: string; targetAccountId: string; now: Date } }>(
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
 * Moves somebody of here to another account, named by its handle or address, which has to name theirs as an alias; it is
 * looked at anew. Their followers are sent there, wherever they are, and nobody can follow them here any more.
 * @throws ValidationFailed (of `acct`) when nobody is found, for oneself, without an alias, for where they are already,
 *   for who has moved on, and within thirty days after the last time
 */
export async function moveAccount(ctx: Ctx, { accountId, name }: { accountId: string; name: string }): Promise<void> {
  const targetAccountId = await resolveAnew(ctx, { name, viewerId: accountId })
  if (targetAccountId === null) throw wrongName('ERR_NOT_FOUND', 'could not be found')
  if (targetAccountId === accountId) throw wrongName('ERR_SELF', 'is this very account')
  await ctx.write(async (tx) => {
    const pair = await holdPair(tx, { accountId, targetAccountId, pauseDays: MOVE_PAUSE_DAYS })
    if (!pair) throw wrongName('ERR_NOT_FOUND', 'could not be found')
    if (pair.moved_to_account_id === targetAccountId) throw wrongName('ERR_MOVED_THERE', 'is where you moved already')
    if (pair.target_moved) throw wrongName('ERR_MOVED_ON', 'has moved itself')
    if (!pair.is_named) throw wrongName('ERR_NO_ALIAS', 'does not name this account as an alias')
    if (pair.moved_lately) throw wrongName('ERR_TOO_SOON', 'can not be moved to yet')
    await move(tx, { accountId, targetAccountId, pair })
  })
}

/**
 * Takes in that somebody of another server has moved. The target was looked at anew. False, and nothing changes, unless
 * it names them as an alias, is in use and has not moved on, and within seven days after the last time.
 */
export async function receiveMove(tx: Tx, { accountId, targetAccountId }: Move): Promise<boolean> {
  if (accountId === targetAccountId) return false
  const pair = await holdPair(tx, { accountId, targetAccountId, pauseDays: REMOTE_PAUSE_DAYS })
  if (!pair || pair.domain === null || pair.target_moved || !pair.is_named || pair.moved_lately) return false
  await move(tx, { accountId, targetAccountId, pair })
  return true
}

const cancel = statement<{ params: { accountId: string; now: Date }; row: { id: string } }>(
  `update accounts set moved_to_account_id = null, version = version + 1, updated_at = $now
   where id = $accountId and domain is null and moved_to_account_id is not null returning id`,
)

/** Takes back that somebody of here has moved: they are here again. Followers who have gone stay there. */
export async function cancelMove(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  const rows = await cancel(tx.db, { accountId, now: tx.now })
  if (rows.length > 0) tx.emit('account.updated', { accountId, mediaKeys: [] })
}

const findTarget = statement<{ params: { accountId: string }; row: { id: string }; notNull: 'id' }>(
  `select moved_to_account_id as id from accounts where id = $accountId and moved_to_account_id is not null`,
)

/** Where somebody has moved; null: nowhere. */
export async function findMoveTarget(read: Read, { accountId }: { accountId: string }): Promise<string | null> {
  const [row] = await findTarget(read.db, { accountId })
  return row?.id ?? null
}

async function holdPair(
  tx: Tx,
  { accountId, targetAccountId, pauseDays }: Move & { pauseDays: number },
): Promise<Pair | undefined> {
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const since = new Date(tx.now.getTime() - pauseDays * DAY_MS)
  const [pair] = await find(tx.db, { accountId, targetAccountId, since })
  return pair
}

async function move(tx: Tx, { accountId, targetAccountId, pair }: Move & { pair: Pair }): Promise<void> {
  await redirect(tx.db, { accountId, targetAccountId, now: tx.now })
  await insertMove(tx.db, { accountId, targetAccountId, followersCount: pair.followers_count, now: tx.now })
  tx.emit('account.moved', { accountId, targetAccountId })
}

/** The account of a name, and of one elsewhere what it says of itself at this moment. */
async function resolveAnew(ctx: Ctx, { name, viewerId }: { name: string; viewerId: string }): Promise<string | null> {
  const id = await resolveAddress(ctx, { name, viewerId })
  const [found] = id === null ? [] : await findUri(ctx.db, { id })
  if (!found) return null
  return found.domain === null ? id : ctx.remote.renew({ uri: found.uri })
}

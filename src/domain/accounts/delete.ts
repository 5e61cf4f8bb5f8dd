import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { shutOut } from '../auth/shut-out.ts'
import type { Ctx, Tx } from '../context.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { bury } from '../tombstones.ts'

interface Leaving {
  user_id: string
  uri: string
  revealed: boolean
  keys: (string | null)[]
}

const lock = statement<{ params: { accountId: string }; row: Leaving }>(
  `select u.id as user_id, a.uri, u.confirmed_at is not null and u.approved as revealed,
     array[a.avatar_key, a.avatar_static_key, a.header_key, a.header_static_key] as keys
   from accounts a join users u on u.account_id = a.id where a.id = $accountId and a.domain is null for no key update`,
)
const removeUser = statement<{ params: { userId: string } }>(`delete from users where id = $userId`)
const removeAccount = statement<{ params: { accountId: string } }>(`delete from accounts where id = $accountId`)
const reserve = statement<{ params: { accountId: string; now: Date } }>(
  `insert into deleted_usernames (username, uri, deleted_at)
   select lower(username), uri, $now from accounts where id = $accountId on conflict (username) do nothing`,
)
const hide = statement<{ params: { accountId: string; now: Date } }>(
  `update accounts set suspended_at = coalesce(suspended_at, $now), display_name = '', note = '', fields = '[]',
     avatar_key = null, avatar_static_key = null, avatar_description = '', header_key = null,
     header_static_key = null, header_description = '', emoji_ids = '{}', also_known_as = '{}',
     moved_to_account_id = null, version = version + 1, updated_at = $now
   where id = $accountId`,
)

/**
 * Deletes somebody of here. From this moment nobody sees them or what they wrote, nothing by which they were logged in
 * counts, their address is free and their name is nobody's any more. Other servers are told, and then the rest goes step
 * by step (`purge.ts`). Who was never confirmed or approved was never seen, and leaves no trace.
 * @throws NotFound when nobody here has that id
 */
export async function deleteAccount(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await lockAccounts(tx, { ids: [accountId] })
  const [leaving] = await lock(tx.db, { accountId })
  if (!leaving) throw new NotFound()
  await shutOut(tx, { userId: leaving.user_id })
  await removeUser(tx.db, { userId: leaving.user_id })
  if (!leaving.revealed) {
    await removeAccount(tx.db, { accountId })
    return
  }
  await reserve(tx.db, { accountId, now: tx.now })
  await bury(tx, { uri: leaving.uri, ownerUri: leaving.uri })
  await hide(tx.db, { accountId, now: tx.now })
  const mediaKeys = [...new Set(leaving.keys.filter((key) => key !== null))]
  tx.emit('account.deleted', { accountId, mediaKeys })
}

const findByName = statement<{ params: { username: string }; row: { id: string } }>(
  `select a.id from accounts a join users u on u.account_id = a.id where lower(a.username) = lower($username)
    and a.domain is null`,
)

/** Somebody of here by name. @throws NotFound when nobody here has it */
export async function findLocalPerson(ctx: Pick<Ctx, 'db'>, { username }: { username: string }): Promise<string> {
  const [row] = await findByName(ctx.db, { username })
  if (!row) throw new NotFound(`Nobody here is called ${username}`)
  return row.id
}

const findHusks = statement<{ row: { id: string } }>(
  `select a.id from deleted_usernames d join accounts a on lower(a.username) = d.username and a.uri = d.uri
   where a.domain is null`,
)

/**
 * Effect: takes up again what is left of people who were deleted here. Their names and keys stay until other servers
 * have heard of it, or can't be told.
 */
export async function resumeDeletions(ctx: Ctx): Promise<void> {
  const husks = await findHusks(ctx.db)
  if (husks.length === 0) return
  await ctx.write(async (tx) => {
    for (const { id } of husks) tx.emit('account.deleted', { accountId: id, mediaKeys: [] })
  })
}

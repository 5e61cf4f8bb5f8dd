import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { revokeLogins } from '../auth/revoke-logins.ts'
import { checkRecentAuthentication } from '../auth/two-factor/recent-authentication.ts'
import type { OwnSession } from '../auth/two-factor/recent-authentication.ts'
import type { Ctx, Tx } from '../context.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { recordTombstone } from '../core/tombstones.ts'
import { deleteUserMails } from '../mails/delete-user-mails.ts'
import { recordPurgeStart } from './schedule-purges.ts'

interface LockedAccount {
  user_id: string
  email: string
  uri: string
  was_visible: boolean
  keys: (string | null)[]
}

const lock = statement<{ params: { accountId: string }; row: LockedAccount }>(
  `select u.id as user_id, u.email, a.uri, u.confirmed_at is not null and u.approved as was_visible,
     array[a.avatar_key, a.avatar_static_key, a.header_key, a.header_static_key] as keys
   from accounts a join users u on u.account_id = a.id where a.id = $accountId and a.domain is null for no key update`,
)
const removeUser = statement<{ params: { userId: string } }>(`delete from users where id = $userId`)
const removeAccount = statement<{ params: { accountId: string } }>(`delete from accounts where id = $accountId`)
const findArchives = statement<{ params: { accountId: string }; row: { name: string } }>(
  `select name from account_archives where account_id = $accountId`,
)
const reserveUsername = statement<{ params: { accountId: string; now: Date } }>(
  `insert into deleted_usernames (username, uri, deleted_at)
   select lower(username), uri, $now from accounts where id = $accountId on conflict (username) do nothing`,
)
const hide = statement<{ params: { accountId: string; now: Date } }>(
  `update accounts set suspended_at = coalesce(suspended_at, $now) where id = $accountId`,
)

const clearProfile = statement<{ params: { accountId: string; now: Date } }>(
  `update accounts set display_name = '', note = '', fields = '[]', avatar_key = null, avatar_static_key = null,
     avatar_description = '', avatar_remote_url = null, header_key = null, header_static_key = null,
     header_description = '', header_remote_url = null, emoji_ids = '{}', also_known_as = '{}',
     moved_to_account_id = null, refreshed_at = null, version = version + 1, updated_at = $now
   where id = $accountId`,
)
const releaseCachedFiles = statement<{ params: { accountId: string } }>(
  `update cached_files set account_id = null where account_id = $accountId`,
)

/** Deletes the profile of a local or remote account, except its username. A job deletes the cached images. */
export async function removeProfile(tx: Tx, { accountId }: { accountId: string }): Promise<void> {
  await clearProfile(tx.db, { accountId, now: tx.now })
  await releaseCachedFiles(tx.db, { accountId })
}

/**
 * Deletes a local account. The account and its statuses are hidden at once, its sessions and tokens end, its e-mail
 * address is free, mails to it are deleted, and its username is reserved for good. Jobs deliver a Delete to other
 * servers and then delete the remaining rows in batches (`purge-account.ts`). The row of a suspended account stays for
 * the staff. An account that was never confirmed or approved was never visible, and leaves no trace. `session`: the
 * one in which a user deletes the own account.
 * @throws NotFoundError if no local user has the account; ForbiddenError if the session has ended meanwhile
 */
export async function deleteAccount(
  tx: Tx,
  { accountId, session = null }: { accountId: string; session?: OwnSession | null },
): Promise<void> {
  await lockAccounts(tx, { ids: [accountId] })
  const [account] = await lock(tx.db, { accountId })
  if (!account) throw new NotFoundError()
  if (session) await checkRecentAuthentication(tx, session)
  await revokeLogins(tx, { userId: account.user_id })
  await deleteUserMails(tx, [{ userId: account.user_id, accountId, email: account.email }])
  await removeUser(tx.db, { userId: account.user_id })
  const mediaKeys = [...new Set(account.keys.filter((key) => key !== null))]
  if (!account.was_visible) {
    // Their rows are deleted with that of the account, so nothing would find the files later.
    const names = (await findArchives(tx.db, { accountId })).map(({ name }) => name)
    if (names.length > 0) tx.emit('account_archive.orphaned', { names })
    if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
    await removeAccount(tx.db, { accountId })
    return
  }
  await reserveUsername(tx.db, { accountId, now: tx.now })
  await recordTombstone(tx, { uri: account.uri, ownerUri: account.uri })
  await hide(tx.db, { accountId, now: tx.now })
  await recordPurgeStart(tx, { accountId })
  await removeProfile(tx, { accountId })
  tx.emit('account.deleted', { accountId, mediaKeys })
}

const findAccountId = statement<{ params: { username: string }; row: { id: string } }>(
  `select a.id from accounts a join users u on u.account_id = a.id where lower(a.username) = lower($username)
    and a.domain is null`,
)

/** Returns the id of a local account by username. @throws NotFoundError if no local user has it */
export async function findLocalAccountId(ctx: Pick<Ctx, 'db'>, { username }: { username: string }): Promise<string> {
  const [row] = await findAccountId(ctx.db, { username })
  if (!row) throw new NotFoundError(`No local account is named ${username}`)
  return row.id
}

const findUnfinishedDeletions = statement<{ row: { id: string } }>(
  `select a.id from deleted_usernames d join accounts a on lower(a.username) = d.username and a.uri = d.uri
   where a.domain is null
     and not exists (select from account_purges p where p.account_id = a.id and p.finished_at is not null)`,
)
const findUnfinishedPurges = statement<{ row: { id: string } }>(
  `select p.account_id as id from account_purges p join accounts a on a.id = p.account_id
   where p.started_at is not null and p.finished_at is null and a.domain is not null`,
)

/**
 * Effect: continues unfinished deletions of accounts. The keys of local ones stay until the Delete has been delivered
 * to other servers, or has failed for good.
 */
export async function resumeDeletions(ctx: Ctx): Promise<void> {
  const [local, remote] = await Promise.all([findUnfinishedDeletions(ctx.db), findUnfinishedPurges(ctx.db)])
  if (local.length + remote.length === 0) return
  await ctx.write(async (tx) => {
    for (const { id } of local) tx.emit('account.deleted', { accountId: id, mediaKeys: [] })
    for (const { id } of remote) tx.emit('account.purge_requested', { accountId: id })
  })
}

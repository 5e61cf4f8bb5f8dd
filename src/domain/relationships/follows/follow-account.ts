import { randomUUID } from 'node:crypto'
import { ForbiddenError, NotFoundError, UnprocessableError, ValidationError } from '../../../lib/errors.ts'
import { normalizeLanguage } from '../../../lib/text/language.ts'
import { statement } from '../../../platform/db/statement.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Tx } from '../../context.ts'
import { blocksDomainOf } from '../../access/user-domain-blocks.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

/** Above this number, the limit on follows depends on the number of followers. */
const MAX_FOLLOWS = 7_500
const FOLLOWS_PER_FOLLOWER = 1.1

/**
 * The options of a follow. Undefined keeps the present value; a new follow shows reblogs, in all languages, not
 * notified.
 */
export interface FollowOptions {
  /** Whether reblogs by the account are added to the home feed from now on. */
  showReblogs?: boolean | undefined
  /** Whether the follower is notified of each new status. */
  notify?: boolean | undefined
  /** Only statuses in these languages are added to the home feed; an empty array means all languages. */
  languages?: readonly string[] | undefined
}

interface FollowPair {
  is_from_remote: boolean
  remote: boolean
  locked: boolean
  moved: boolean
  is_follower_suspended: boolean
  silenced: boolean
  blocked: boolean
  following_count: number
  followers_count: number
}

// `for share` waits for a transaction that unlocks the account, so that no request is created after it has accepted
// all.
const findPair = statement<{ params: { accountId: string; targetAccountId: string }; row: FollowPair }>(
  `select self.domain is not null as is_from_remote, t.domain is not null as remote, t.locked, t.moved_to_account_id is not null as moved,
     self.suspended_at is not null as is_follower_suspended, self.silenced_at is not null as silenced, st.following_count, st.followers_count,
     exists (select from blocks b where (b.account_id = $accountId and b.target_account_id = $targetAccountId)
       or (b.account_id = $targetAccountId and b.target_account_id = $accountId))
       or ${blocksDomainOf('$accountId', 't')} or ${blocksDomainOf('$targetAccountId', 'self')} as blocked
   from accounts t left join users u on u.account_id = t.id
     join accounts self on self.id = $accountId join account_stats st on st.account_id = self.id
   where t.id = $targetAccountId and ${usableAccount('t')} for share of t`,
)

const change = (table: string) =>
  statement<{
    params: {
      accountId: string
      targetAccountId: string
      showReblogs: boolean | null
      notify: boolean | null
      changesLanguages: boolean
      languages: readonly string[] | null
      uri: string | null
    }
    row: { id: string }
  }>(
    `update ${table} set show_reblogs = coalesce($showReblogs, show_reblogs), notify = coalesce($notify, notify),
       languages = case when $changesLanguages::boolean then $languages::text[] else languages end, uri = coalesce($uri, uri)
     where account_id = $accountId and target_account_id = $targetAccountId returning id`,
  )
const insert = (table: string) =>
  statement<{
    params: {
      accountId: string
      targetAccountId: string
      showReblogs: boolean | null
      notify: boolean | null
      languages: readonly string[] | null
      now: Date
      uri: string | null
    }
  }>(
    `insert into ${table} (account_id, target_account_id, show_reblogs, notify, languages, created_at, uri)
     values ($accountId, $targetAccountId, coalesce($showReblogs, true), coalesce($notify, false), $languages, $now,
       $uri)`,
  )
const changeFollow = change('follows')
const changeRequest = change('follow_requests')
const insertFollow = insert('follows')
const insertRequest = insert('follow_requests')
const count = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `update account_stats set
     following_count = following_count + case when account_id = $accountId then 1 else 0 end,
     followers_count = followers_count + case when account_id = $targetAccountId then 1 else 0 end
   where account_id = any(array[$accountId, $targetAccountId]::bigint[])`,
)

/**
 * Follows an account, or creates a follow request if the account is locked or remote, or if the follower is limited
 * (Mastodon: POST /api/v1/accounts/:id/follow). If the follow or the request exists already, only its options change.
 * `uri`: the id of the `Follow` activity of a remote follower, whose server is notified once the follow is in place.
 * `assumed`: the remote server has not accepted yet but very likely will, so the API shows the follow as in place.
 * @throws ForbiddenError if the accounts are the same, for an account that has moved, for a suspended follower, and for
 *   a block in either direction, of the account or its domain
 * @throws NotFoundError
 * @throws UnprocessableError above the limit of follows
 * @throws ValidationError for an unknown language
 */
export async function followAccount(
  tx: Tx,
  {
    accountId,
    targetAccountId,
    options = {},
    uri,
  }: { accountId: string; targetAccountId: string; options?: FollowOptions; uri?: string | undefined },
): Promise<{ assumed: boolean }> {
  if (accountId === targetAccountId) throw new ForbiddenError('Following your own account is not allowed')
  const languages = parseLanguages(options.languages)
  await lockAccounts(tx, { ids: [accountId, targetAccountId] })
  const [pair] = await findPair(tx.db, { accountId, targetAccountId })
  if (!pair) throw new NotFoundError()
  if (pair.moved || pair.blocked || pair.is_follower_suspended) throw new ForbiddenError()

  const isAssumed = pair.remote && !pair.locked && !pair.silenced
  const { showReblogs = null, notify = null } = options
  const activityUri = uri ?? null
  const changes = {
    accountId,
    targetAccountId,
    showReblogs,
    notify,
    changesLanguages: languages !== undefined,
    languages: languages ?? null,
    uri: activityUri,
  }
  const emitAccepted = () => {
    if (pair.is_from_remote) tx.emit('follow.accepted', { accountId, targetAccountId, uri: activityUri })
  }
  if ((await changeFollow(tx.db, changes)).length > 0) {
    emitAccepted()
    return { assumed: false }
  }
  if ((await changeRequest(tx.db, changes)).length > 0) return { assumed: isAssumed }

  if (!pair.is_from_remote) checkFollowLimit(pair)
  const ownUri = pair.remote ? `${tx.config.origin}/follows/${randomUUID()}` : null
  const values = {
    accountId,
    targetAccountId,
    showReblogs,
    notify,
    languages: languages ?? null,
    now: tx.now,
    uri: activityUri ?? ownUri,
  }
  if (pair.locked || pair.remote || pair.silenced) {
    await insertRequest(tx.db, values)
    tx.emit('follow.requested', { accountId, targetAccountId })
    return { assumed: isAssumed }
  }
  await insertFollow(tx.db, values)
  await count(tx.db, { accountId, targetAccountId })
  tx.emit('account.followed', { accountId, targetAccountId })
  emitAccepted()
  return { assumed: false }
}

/** Returns how many accounts a user with this number of followers may follow. */
export function followLimitOf({ followers }: { followers: number }): number {
  return Math.max(MAX_FOLLOWS, Math.round(followers * FOLLOWS_PER_FOLLOWER))
}

function checkFollowLimit({ following_count, followers_count }: FollowPair): void {
  const limit = followLimitOf({ followers: followers_count })
  if (following_count >= limit) throw new UnprocessableError(`You cannot follow more than ${limit} people`)
}

/** Returns the languages as stored: null for all languages, undefined to keep the present value. */
function parseLanguages(languages: readonly string[] | undefined): string[] | null | undefined {
  if (languages === undefined) return undefined
  const codes = languages.filter((code) => code.trim() !== '').map(normalizeLanguage)
  if (codes.includes(null)) {
    throw new ValidationError([{ attribute: 'languages', code: 'ERR_INVALID', text: 'is invalid' }])
  }
  return codes.length === 0 ? null : [...new Set(codes as string[])]
}

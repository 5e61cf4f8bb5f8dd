import { randomUUID } from 'node:crypto'
import {
  ForbiddenError,
  NotFoundError,
  RequestError,
  UnprocessableError,
  ValidationError,
} from '../../../lib/errors.ts'
import { normalizeLanguage } from '../../../lib/text/language.ts'
import { statement } from '../../../platform/db/statement.ts'
import { usableAccount } from '../../access/usable-account.ts'
import type { Tx } from '../../context.ts'
import { blocksDomainOf } from '../../access/user-domain-blocks.ts'
import { isHostAllowed } from '../../domain-blocks/federating-domain.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { followLimit } from './follow-limit.ts'

/**
 * The options of a follow. Undefined keeps the present value; a new follow shows reblogs, in all languages, not
 * notified.
 */
interface FollowOptions {
  /** Whether reblogs by the account are added to the home feed from now on. */
  showReblogs?: boolean | undefined
  /** Whether the follower is notified of each new status. */
  notify?: boolean | undefined
  /** Only statuses in these languages are added to the home feed; an empty array means all languages. */
  languages?: readonly string[] | undefined
}

/** A follow that is to be created or changed. */
export interface FollowInput {
  targetAccountId: string
  options?: FollowOptions
  /** The id of the `Follow` activity of a remote follower. */
  uri?: string | undefined
}

/** What was done: the follow or the request existed and has the new options, or one of them was created. */
type FollowResult =
  | { kind: 'error'; error: RequestError }
  | {
      kind: 'follow_changed' | 'request_changed' | 'requested' | 'followed'
      isFromRemote: boolean
      isToRemote: boolean
      /** The remote server very likely accepts. */
      isAssumed: boolean
    }

interface FollowPair {
  target_account_id: string
  is_from_remote: boolean
  remote: boolean
  locked: boolean
  moved: boolean
  is_follower_suspended: boolean
  silenced: boolean
  blocked: boolean
  /** The target is local, or limited federation permits its domain. */
  allowed: boolean
  following_count: number
  followers_count: number
}

/** A row of `ROWS`. */
interface FollowRow {
  target_account_id: string
  show_reblogs: boolean | null
  notify: boolean | null
  changes_languages: boolean
  languages: string[] | null
  uri: string | null
}

// `for share` waits for a transaction that unlocks an account, so that no request is created after it has accepted all.
const findPairs = statement<{
  params: { accountId: string; targetAccountIds: readonly string[]; limitedFederation: boolean }
  row: FollowPair
  notNull: 'target_account_id'
}>(
  `select t.id as target_account_id, self.domain is not null as is_from_remote, t.domain is not null as remote, t.locked,
     t.moved_to_account_id is not null as moved,
     self.suspended_at is not null as is_follower_suspended, self.silenced_at is not null as silenced, st.following_count, st.followers_count,
     exists (select from blocks b where (b.account_id = $accountId and b.target_account_id = t.id)
       or (b.account_id = t.id and b.target_account_id = $accountId))
       or ${blocksDomainOf('$accountId', 't')} or ${blocksDomainOf('t.id', 'self')} as blocked,
     (t.domain is null or ${isHostAllowed('t.domain')}) as allowed
   from accounts t left join users u on u.account_id = t.id
     join accounts self on self.id = $accountId join account_stats st on st.account_id = self.id
   where t.id = any($targetAccountIds::bigint[]) and ${usableAccount('t')} order by t.id for share of t`,
)

const ROWS = `jsonb_to_recordset($rows::jsonb) as r (
    target_account_id bigint, show_reblogs boolean, notify boolean, changes_languages boolean, languages text[], uri text)`
const change = (table: string) =>
  statement<{ params: { accountId: string; rows: string }; row: { target_account_id: string } }>(
    `update ${table} e set show_reblogs = coalesce(r.show_reblogs, e.show_reblogs), notify = coalesce(r.notify, e.notify),
       languages = case when r.changes_languages then r.languages else e.languages end, uri = coalesce(r.uri, e.uri)
     from ${ROWS}
     where e.account_id = $accountId and e.target_account_id = r.target_account_id returning e.target_account_id`,
  )
const insert = (table: string) =>
  statement<{ params: { accountId: string; rows: string; now: Date } }>(
    `insert into ${table} (account_id, target_account_id, show_reblogs, notify, languages, created_at, uri)
     select $accountId, r.target_account_id, coalesce(r.show_reblogs, true), coalesce(r.notify, false), r.languages, $now,
       r.uri
     from ${ROWS}`,
  )
const changeFollows = change('follows')
const changeRequests = change('follow_requests')
const insertFollows = insert('follows')
const insertRequests = insert('follow_requests')
const count = statement<{ params: { accountId: string; targetAccountIds: readonly string[] } }>(
  `update account_stats set
     following_count = following_count
       + case when account_id = $accountId then cardinality($targetAccountIds::bigint[]) else 0 end,
     followers_count = followers_count + case when account_id = any($targetAccountIds::bigint[]) then 1 else 0 end
   where account_id = any(array_append($targetAccountIds::bigint[], $accountId::bigint))`,
)

/**
 * Follows an account, or creates a follow request if the account is locked or remote, or if the follower is limited
 * (Mastodon: POST /api/v1/accounts/:id/follow). If the follow or the request exists already, only its options change.
 * `uri`: the id of the `Follow` activity of a remote follower, whose server is notified once the follow is in place.
 * `assumed`: the remote server has not accepted yet but very likely will, so the API shows the follow as in place.
 * @throws ForbiddenError if the accounts are the same, for an account that has moved, for a suspended follower, for a
 *   block in either direction, of the account or its domain, and for a domain that limited federation does not permit
 * @throws NotFoundError
 * @throws UnprocessableError above the limit of follows
 * @throws ValidationError for an unknown language
 */
export async function followAccount(
  tx: Tx,
  { accountId, ...follow }: FollowInput & { accountId: string },
): Promise<{ assumed: boolean }> {
  const { targetAccountId, uri = null } = follow
  const result = (await writeFollows(tx, { accountId, follows: [follow] })).get(targetAccountId)!
  if (result.kind === 'error') throw result.error
  const { kind, isFromRemote, isAssumed } = result
  if (kind === 'requested') tx.emit('follow.requested', { accountId, targetAccountId })
  if (kind === 'followed') tx.emit('account.followed', { accountId, targetAccountId })
  const isInPlace = kind === 'followed' || kind === 'follow_changed'
  if (isInPlace && isFromRemote) tx.emit('follow.accepted', { accountId, targetAccountId, uri })
  return { assumed: !isInPlace && isAssumed }
}

/**
 * Follows many accounts as `followAccount` does, with a number of statements that does not depend on how many. The
 * caller emits the events. Returns the results by the ids of the target accounts, each of which is named once.
 */
export async function writeFollows(
  tx: Tx,
  { accountId, follows }: { accountId: string; follows: readonly FollowInput[] },
): Promise<Map<string, FollowResult>> {
  const results = new Map<string, FollowResult>()
  const fail = (id: string, error: RequestError) => void results.set(id, { kind: 'error', error })
  const rows = follows.flatMap((follow) => {
    const row = rowOf(follow, accountId)
    if (!(row instanceof RequestError)) return [row]
    fail(follow.targetAccountId, row)
    return []
  })
  const targetAccountIds = rows.map((row) => row.target_account_id)
  if (rows.length === 0) return results
  await lockAccounts(tx, { ids: [accountId, ...targetAccountIds] })
  const { limitedFederation } = tx.config.access
  const found = await findPairs(tx.db, { accountId, targetAccountIds, limitedFederation })
  const pairs = new Map(found.map((pair) => [pair.target_account_id, pair]))
  const allowed = rows.filter(({ target_account_id: id }) => {
    const pair = pairs.get(id)
    if (!pair) fail(id, new NotFoundError())
    else if (pair.moved || pair.blocked || !pair.allowed || pair.is_follower_suspended) fail(id, new ForbiddenError())
    return !results.has(id)
  })
  const record = (id: string, kind: Exclude<FollowResult['kind'], 'error'>) => {
    const { is_from_remote: isFromRemote, remote: isToRemote, locked, silenced } = pairs.get(id)!
    results.set(id, { kind, isFromRemote, isToRemote, isAssumed: isToRemote && !locked && !silenced })
  }
  const remaining = () => allowed.filter(({ target_account_id: id }) => !results.has(id))
  for (const [run, kind] of [
    [changeFollows, 'follow_changed'],
    [changeRequests, 'request_changed'],
  ] as const) {
    const left = remaining()
    const changed = left.length === 0 ? [] : await run(tx.db, { accountId, rows: JSON.stringify(left) })
    for (const { target_account_id: id } of changed) record(id, kind)
  }
  const [followed, requested]: [FollowRow[], FollowRow[]] = [[], []]
  for (const row of remaining()) {
    const { target_account_id: id } = row
    const pair = pairs.get(id)!
    const limit = followLimit(pair.followers_count)
    if (!pair.is_from_remote && pair.following_count + followed.length >= limit) {
      fail(id, new UnprocessableError(`You cannot follow more than ${limit} people`))
      continue
    }
    const isRequest = pair.locked || pair.remote || pair.silenced
    const ownUri = pair.remote ? `${tx.config.origin}/follows/${randomUUID()}` : null
    ;(isRequest ? requested : followed).push({ ...row, uri: row.uri ?? ownUri })
    record(id, isRequest ? 'requested' : 'followed')
  }
  if (requested.length > 0) await insertRequests(tx.db, { accountId, rows: JSON.stringify(requested), now: tx.now })
  if (followed.length > 0) {
    await insertFollows(tx.db, { accountId, rows: JSON.stringify(followed), now: tx.now })
    await count(tx.db, { accountId, targetAccountIds: followed.map((row) => row.target_account_id) })
  }
  return results
}

/** Returns the values of a follow as stored, or why it is refused. */
function rowOf({ targetAccountId, options = {}, uri }: FollowInput, accountId: string): FollowRow | RequestError {
  if (accountId === targetAccountId) return new ForbiddenError('Following your own account is not allowed')
  try {
    const languages = parseLanguages(options.languages)
    return {
      target_account_id: targetAccountId,
      show_reblogs: options.showReblogs ?? null,
      notify: options.notify ?? null,
      changes_languages: languages !== undefined,
      languages: languages ?? null,
      uri: uri ?? null,
    }
  } catch (err) {
    if (err instanceof RequestError) return err
    throw err
  }
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

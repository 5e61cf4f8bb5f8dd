import { hashSecret, hashSecretAsBase64 } from '../../lib/secrets.ts'
import { createBatch } from '../../platform/create-batch.ts'
import { isWriteRefused } from '../../platform/db/connection.ts'
import { statement } from '../../platform/db/statement.ts'
import { Cache } from '../../platform/db/cache.ts'
import type { CachedRead, Read } from '../context.ts'
import { recordActivity } from './record-activity.ts'
import { LACKS_SECOND_FACTOR } from './two-factor/second-factors.ts'

/** The user that a request is made for, identified by an access token or a browser session. */
export interface Viewer {
  readonly accountId: string
  readonly userId: string
  /** null in a browser session. */
  readonly tokenId: string | null
  readonly scopes: readonly string[]
  readonly roleId: string
  readonly accountState: AccountState
  /** false: the feeds were pruned while the user was inactive, and are not rebuilt yet. */
  readonly feedsComplete: boolean
  /** The language that the user chose for pages (BCP 47). */
  readonly locale: string
}

/**
 * `usable`, or the reason why the account may not act. `disabled` includes memorial accounts. `moved`: the account has
 * moved to another one, which the user can undo. `without_second_factor`: a role of the user requires a second factor.
 */
type AccountState = 'usable' | 'unconfirmed' | 'pending' | 'suspended' | 'disabled' | 'moved' | 'without_second_factor'

/** An access token with its application and, except for tokens of applications alone, its user. */
export interface Bearer {
  readonly tokenId: string
  readonly applicationId: string | null
  readonly scopes: readonly string[]
  readonly viewer: Viewer | null
}

interface UserRow {
  account_id: string
  user_id: string
  role_id: string
  confirmed: boolean
  approved: boolean
  suspended: boolean
  disabled: boolean
  moved: boolean
  lacks_second_factor: boolean
  feeds_complete: boolean
  locale: string
}

const USER_COLUMNS = `u.id as user_id, u.account_id, u.role_id, u.confirmed_at is not null as confirmed, u.approved,
  a.suspended_at is not null as suspended, (u.disabled_at is not null or a.memorial) as disabled,
  a.moved_to_account_id is not null as moved, ${LACKS_SECOND_FACTOR} as lacks_second_factor,
  u.feed_state = 'complete' as feeds_complete, u.locale`

/** Activity is recorded once a day (UTC), for daily and weekly active users. */
const IS_LAST_SEEN_OUTDATED = `u.last_seen_at < date_trunc('day', now(), 'UTC')`

interface TokenRow extends UserRow {
  /** In base64. A buffer would keep the memory that it shares with others for as long as the row is cached. */
  hash: string
  token_id: string
  application_id: string | null
  scopes: string[]
  revoked: boolean
  /** Milliseconds since 1970 until when no use needs to be recorded; null: the use must be recorded now. */
  use_recorded_until: number | null
}

const findTokens = statement<{ params: { hashes: readonly Buffer<ArrayBuffer>[] }; row: TokenRow }>(
  `select encode(t.token_hash, 'base64') as hash, t.id as token_id, t.application_id, t.scopes, t.revoked_at is not null as revoked,
     case when t.last_used_at >= now() - interval '1 day' and not coalesce(${IS_LAST_SEEN_OUTDATED}, false) then
       extract(epoch from least(t.last_used_at + interval '1 day', date_trunc('day', now(), 'UTC') + interval '1 day'
         ))::double precision * 1000 end as use_recorded_until, ${USER_COLUMNS}
   from access_tokens t left join users u on u.id = t.user_id left join accounts a on a.id = u.account_id
   where t.token_hash = any($hashes::bytea[])`,
)

// The use is recorded once a day, or twice within a shorter `SESSION_RETENTION_PERIOD`.
const findSession = statement<{
  params: { idHash: Buffer; retentionSeconds: number }
  row: UserRow & { stale: boolean }
}>(
  `select ${IS_LAST_SEEN_OUTDATED} or s.last_used_at < now() - least(interval '1 day', $retentionSeconds::int * interval '0.5 seconds')
     as stale, ${USER_COLUMNS}
   from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
   where s.id_hash = $idHash and s.expires_at > now()`,
)

const updateTokenUse = statement<{ params: { tokenIds: readonly string[] } }>(
  `update access_tokens set last_used_at = now() where id = any(array(
     select id from access_tokens where id = any($tokenIds::bigint[]) order by id for update))`,
)
const extendSession = statement<{ params: { idHash: Buffer; retentionSeconds: number } }>(
  `update sessions set last_used_at = now(), expires_at = now() + $retentionSeconds::int * interval '1 second'
    where id_hash = $idHash`,
)
type Db = Read['db']
type BearerLookup = Bearer | 'unknown' | 'revoked'

/** Runs concurrent calls as one batch. An error of the batch rejects all its calls. */
const batched = <In, Out>(work: (db: Db, items: readonly In[]) => Promise<Out[]>) => {
  const batch = createBatch<Db, In, Out | Error>(
    async (db, items) => work(db, items).catch((err: unknown) => items.map(() => err as Error)),
    { maxItems: 200 },
  )
  return async (db: Db, item: In): Promise<Out> => {
    const done = await batch(db, item)
    if (done instanceof Error) throw done
    return done
  }
}

// A busy server sends one query at a time, as fast as the database answers. After a restart, when all clients reconnect
// at once, connections stay free for requests whose tokens are cached.
const findTokenRow = batched(async (db, hashes: readonly string[]): Promise<(TokenRow | undefined)[]> => {
  const rows = await findTokens(db, { hashes: hashes.map((hash) => Buffer.from(hash, 'base64')) })
  const byHash = new Map(rows.map((row) => [row.hash, row]))
  return hashes.map((hash) => byHash.get(hash))
})

/**
 * Records the use of tokens and the activity of their users. Returns for each token whether the user's feeds are
 * complete.
 */
const recordTokenUse = batched(async (db, rows: readonly TokenRow[]): Promise<boolean[]> => {
  await updateTokenUse(db, { tokenIds: rows.map((row) => row.token_id) })
  const updatedUsers = await recordActivity(db, { userIds: [...new Set(rows.flatMap((row) => row.user_id ?? []))] })
  const feedsCompleteByUser = new Map(updatedUsers.map((row) => [row.user_id, row.feeds_complete]))
  return rows.map((row) => feedsCompleteByUser.get(row.user_id) ?? row.feeds_complete)
})

const ENTRY_BYTES = 600

/** A valid token whose use needs no recording until `useRecordedUntil` (milliseconds since 1970). */
interface CachedToken {
  tokenId: string
  accountId: string | null
  useRecordedUntil: number
  bearer: Bearer
}

/** Tokens by their hashes. The next request after a revocation rejects the token. */
const cache = new Cache<CachedToken>({
  isInvalidated: (invalidations, { value: { tokenId, accountId }, since }) =>
    invalidations.isInvalidated('token', tokenId, since) ||
    (accountId !== null &&
      (invalidations.isInvalidated('user', accountId, since) ||
        invalidations.isInvalidated('account', accountId, since))),
  hasExpired: ({ useRecordedUntil }, now) => useRecordedUntil <= now,
})

/** Returns the application and user of an access token; `unknown` or `revoked` if the token is not valid. */
export async function findBearer(
  { db, invalidations }: CachedRead,
  { token }: { token: string },
): Promise<BearerLookup> {
  const hash = hashSecretAsBase64(token)
  const since = invalidations.epoch
  const cached = cache.get(invalidations, hash)
  if (cached) return cached.bearer
  const row = await findTokenRow(db, hash)
  if (!row || row.revoked) return row ? 'revoked' : 'unknown'
  const { token_id: tokenId, account_id: accountId, use_recorded_until: useRecordedUntil } = row
  // The use is recorded at most once a day, so that most requests that read write nothing.
  if (useRecordedUntil === null) {
    const feedsComplete = await recordIfWritable(recordTokenUse(db, row), row.feeds_complete)
    return bearerOf({ ...row, feeds_complete: feedsComplete })
  }
  const bearer = bearerOf(row)
  cache.set(invalidations, hash, { value: { tokenId, accountId, useRecordedUntil, bearer }, since, bytes: ENTRY_BYTES })
  return bearer
}

/** While PostgreSQL accepts no writes, users can read nevertheless, and a later request records the use. */
async function recordIfWritable<T>(recorded: Promise<T>, fallback: T): Promise<T> {
  return recorded.catch((err: unknown) => {
    if (isWriteRefused(err)) return fallback
    throw err
  })
}

function bearerOf(row: TokenRow): Bearer {
  const { token_id: tokenId, application_id: applicationId, scopes } = row
  return { tokenId, applicationId, scopes, viewer: row.user_id ? viewerOf(row, { tokenId, scopes }) : null }
}

// The same conditions as in `accountStateOf`, for many tokens at once.
const findUnusableTokenRows = statement<{ params: { tokenIds: readonly string[] }; row: { id: string } }>(
  `select requested.id from unnest($tokenIds::bigint[]) requested (id) where not exists (
     select from access_tokens t join users u on u.id = t.user_id join accounts a on a.id = u.account_id
     where t.id = requested.id and t.revoked_at is null and u.confirmed_at is not null and u.approved
       and u.disabled_at is null and a.suspended_at is null and not a.memorial and a.moved_to_account_id is null
       and not ${LACKS_SECOND_FACTOR})`,
)

/** Returns those of the tokens (by id) that are revoked or whose user may not act. */
export async function findUnusableTokens(read: Read, { tokenIds }: { tokenIds: readonly string[] }): Promise<string[]> {
  if (tokenIds.length === 0) return []
  return (await findUnusableTokenRows(read.db, { tokenIds })).map((row) => row.id)
}

/** Returns the user of a browser session, or null. */
export async function findSessionViewer(read: Read, { sessionId }: { sessionId: string }): Promise<Viewer | null> {
  const idHash = hashSecret(sessionId)
  const retentionSeconds = read.config.retention.sessionSeconds
  const [row] = await findSession(read.db, { idHash, retentionSeconds })
  if (!row) return null
  if (row.stale) {
    const recordUse = async () => {
      await extendSession(read.db, { idHash, retentionSeconds })
      return recordActivity(read.db, { userIds: [row.user_id] })
    }
    Object.assign(row, ...(await recordIfWritable(recordUse(), [])))
  }
  return viewerOf(row, { tokenId: null, scopes: [] })
}

function viewerOf(row: UserRow, credentials: Pick<Viewer, 'tokenId' | 'scopes'>): Viewer {
  const accountState = accountStateOf(row)
  return {
    accountId: row.account_id,
    userId: row.user_id,
    roleId: row.role_id,
    accountState,
    feedsComplete: row.feeds_complete,
    locale: row.locale,
    ...credentials,
  }
}

function accountStateOf(row: UserRow): AccountState {
  if (row.suspended) return 'suspended'
  if (row.disabled) return 'disabled'
  if (row.lacks_second_factor && row.confirmed && row.approved) return 'without_second_factor'
  if (row.moved) return 'moved'
  return !row.confirmed ? 'unconfirmed' : !row.approved ? 'pending' : 'usable'
}

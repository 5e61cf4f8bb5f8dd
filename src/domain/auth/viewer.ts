import { hashSecret } from '../../lib/secrets.ts'
import { createBatch } from '../../platform/batch.ts'
import { lookForChanges } from '../../platform/db/changes.ts'
import type { Moment } from '../../platform/db/changes.ts'
import { statement } from '../../platform/db/statement.ts'
import { Kept } from '../../platform/db/kept.ts'
import type { Read } from '../context.ts'
import { isSeenLately } from '../feeds/belongs.ts'
import { NOTING_LOGIN } from '../instance/weekly-people.ts'
import { SESSION_DAYS } from './sessions.ts'

/** Who makes a request: a person, seen through the token or the browser session that they hold. */
export interface Viewer {
  readonly accountId: string
  readonly userId: string
  /** null in a browser session. */
  readonly tokenId: string | null
  readonly scopes: readonly string[]
  readonly roleId: string
  readonly standing: Standing
  /** false: their feeds were dropped while they were away, and are not whole again. */
  readonly feedsKept: boolean
  /** The language of pages that the user has chosen (BCP 47). */
  readonly locale: string
  /** When it was looked who they are, which was after their request had come. */
  readonly asOf: Moment
}

/**
 * `usable`, or the reason why a person may not act now. `disabled`: also a memorial account. `moved`: the account is
 * somewhere else, which can be undone.
 */
type Standing = 'usable' | 'unconfirmed' | 'pending' | 'suspended' | 'disabled' | 'moved'

/** What a bearer token stands for: an application, and mostly a person. */
export interface Bearer {
  readonly tokenId: string
  readonly applicationId: string | null
  readonly scopes: readonly string[]
  readonly viewer: Viewer | null
}

interface PersonRow {
  account_id: string
  user_id: string
  role_id: string
  confirmed: boolean
  approved: boolean
  suspended: boolean
  disabled: boolean
  moved: boolean
  feeds_kept: boolean
  locale: string
}

const PERSON = `u.id as user_id, u.account_id, u.role_id, u.confirmed_at is not null as confirmed, u.approved,
  a.suspended_at is not null as suspended, (u.disabled_at is not null or a.memorial) as disabled,
  a.moved_to_account_id is not null as moved, u.feeds = 'kept' as feeds_kept, u.locale`

/** Once a day is enough to know who has been here lately, and in every week who has been here in it. */
const UNSEEN = `u.last_seen_at < greatest(now() - interval '1 day', date_trunc('week', now(), 'UTC'))`

interface TokenRow extends PersonRow {
  token_hash: Buffer
  token_id: string
  application_id: string | null
  scopes: string[]
  revoked: boolean
  /** Milliseconds since 1970; null: its use is to be noted now. */
  noted_until: number | null
}

const findTokens = statement<{ params: { hashes: readonly Buffer<ArrayBuffer>[] }; row: TokenRow }>(
  `select t.token_hash, t.id as token_id, t.application_id, t.scopes, t.revoked_at is not null as revoked,
     case when t.last_used_at >= now() - interval '1 day' and not coalesce(${UNSEEN}, false) then
       extract(epoch from least(t.last_used_at + interval '1 day', u.last_seen_at + interval '1 day',
         date_trunc('week', now(), 'UTC') + interval '1 week'))::double precision * 1000 end as noted_until, ${PERSON}
   from access_tokens t left join users u on u.id = t.user_id left join accounts a on a.id = u.account_id
   where t.token_hash = any($hashes::bytea[])`,
)

const findSession = statement<{ params: { idHash: Buffer }; row: PersonRow & { stale: boolean } }>(
  `select ${UNSEEN} or s.last_used_at < now() - interval '1 day' as stale, ${PERSON}
   from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
   where s.id_hash = $idHash and s.expires_at > now()`,
)

const touchTokens = statement<{ params: { tokenIds: readonly string[] } }>(
  `update access_tokens set last_used_at = now() where id = any(array(
     select id from access_tokens where id = any($tokenIds::bigint[]) order by id for update))`,
)
const touchSession = statement<{ params: { idHash: Buffer } }>(
  `update sessions set last_used_at = now(), expires_at = now() + interval '${SESSION_DAYS} days'
    where id_hash = $idHash`,
)
// Nothing was written into the feeds of a user who was away for long, whether or not they have been dropped by now.
const touchUsers = statement<{ params: { userIds: readonly string[] }; row: { user_id: string; feeds_kept: boolean } }>(
  `${NOTING_LOGIN} update users set last_seen_at = now(), feeds = case when ${isSeenLately('users')} then feeds else 'dropped' end
   where id = any(array(
     select id from users where id = any($userIds::bigint[]) order by id for update))
   returning id as user_id, feeds = 'kept' as feeds_kept`,
)

type Db = Read['db']
type Found = Bearer | 'unknown' | 'revoked'

/** Does for many at once what is asked at the same time. What keeps one from being done keeps all. */
const together = <In, Out>(work: (db: Db, items: readonly In[]) => Promise<Out[]>) => {
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

// A busy server asks as often as the database answers; and after a restart, when everybody comes back at once, there are
// connections left for those who are known already.
const findRow = together(async (db, hashes: readonly string[]): Promise<(TokenRow | undefined)[]> => {
  const rows = await findTokens(db, { hashes: hashes.map((hash) => Buffer.from(hash, 'base64')) })
  const byHash = new Map(rows.map((row) => [row.token_hash.toString('base64'), row]))
  return hashes.map((hash) => byHash.get(hash))
})

/** Notes that a token is in use, and who is here by it; tells whether their feeds are kept. Waits for nobody who only reads. */
const touch = together(async (db, rows: readonly TokenRow[]): Promise<boolean[]> => {
  await touchTokens(db, { tokenIds: rows.map((row) => row.token_id) })
  const touched = await touchUsers(db, { userIds: [...new Set(rows.flatMap((row) => row.user_id ?? []))] })
  const kept = new Map(touched.map((row) => [row.user_id, row.feeds_kept]))
  return rows.map((row) => kept.get(row.user_id) ?? row.feeds_kept)
})

/** How much memory one process may take for those who come again. */
const KEPT_BYTES = 8 * 1024 * 1024
const ENTRY_BYTES = 600

/** What tokens stand for, by their hashes. Whatever makes one of them void is seen by the next request. */
const kept = new Kept<TokenRow>({
  maxBytes: KEPT_BYTES,
  hasChanged: (changes, { value, since }) =>
    changes.hasChanged('token', value.token_id, since) ||
    (value.user_id !== null &&
      (changes.hasChanged('user', value.account_id, since) ||
        changes.hasChanged('account', value.account_id, since))) ||
    (value.noted_until ?? 0) <= changes.now,
})

/** What a token stands for; `unknown` and `revoked` when it does not count. */
export async function findBearer({ db }: Pick<Read, 'db'>, { token }: { token: string }): Promise<Found> {
  const hash = hashSecret(token).toString('base64')
  const changes = await lookForChanges(db)
  const asOf = changes.moment
  const known = kept.get(changes, hash)
  const row = known ?? (await findRow(db, hash))
  if (!row || row.revoked) return row ? 'revoked' : 'unknown'
  if (!known && row.noted_until !== null) kept.set(changes, hash, { value: row, since: asOf, bytes: ENTRY_BYTES })
  // Seldom, so that reading is free of writes.
  const feedsKept = row.noted_until === null ? await touch(db, row) : row.feeds_kept
  const { token_id: tokenId, application_id: applicationId, scopes } = row
  const viewer = row.user_id ? viewerOf({ ...row, feeds_kept: feedsKept }, { tokenId, scopes, asOf }) : null
  return { tokenId, applicationId, scopes, viewer }
}

// Says the same as `standingOf`, and is asked often of many.
const findDead = statement<{ params: { tokenIds: readonly string[] }; row: { id: string } }>(
  `select asked.id from unnest($tokenIds::bigint[]) asked (id) where not exists (
     select from access_tokens t join users u on u.id = t.user_id join accounts a on a.id = u.account_id
     where t.id = asked.id and t.revoked_at is null and u.confirmed_at is not null and u.approved
       and u.disabled_at is null and a.suspended_at is null and not a.memorial and a.moved_to_account_id is null)`,
)

/** Of these tokens, those by which nobody may act any more. */
export async function findDeadTokens(read: Read, { tokenIds }: { tokenIds: readonly string[] }): Promise<string[]> {
  if (tokenIds.length === 0) return []
  return (await findDead(read.db, { tokenIds })).map((row) => row.id)
}

/** The person of a browser session, or null. */
export async function findSessionViewer(read: Read, { sessionId }: { sessionId: string }): Promise<Viewer | null> {
  const idHash = hashSecret(sessionId)
  const { moment: asOf } = await lookForChanges(read.db)
  const [row] = await findSession(read.db, { idHash })
  if (!row) return null
  // Each day of use moves the end of the session.
  if (row.stale) {
    await touchSession(read.db, { idHash })
    Object.assign(row, ...(await touchUsers(read.db, { userIds: [row.user_id] })))
  }
  return viewerOf(row, { tokenId: null, scopes: [], asOf })
}

function viewerOf(row: PersonRow, holding: Pick<Viewer, 'tokenId' | 'scopes' | 'asOf'>): Viewer {
  const standing = standingOf(row)
  return {
    accountId: row.account_id,
    userId: row.user_id,
    roleId: row.role_id,
    standing,
    feedsKept: row.feeds_kept,
    locale: row.locale,
    ...holding,
  }
}

function standingOf(row: PersonRow): Standing {
  if (row.suspended) return 'suspended'
  if (row.disabled) return 'disabled'
  if (row.moved) return 'moved'
  return !row.confirmed ? 'unconfirmed' : !row.approved ? 'pending' : 'usable'
}

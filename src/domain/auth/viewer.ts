import { hashSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'
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
}

/** `usable`, or the reason why a person may not act now. `moved`: the account is somewhere else, which can be undone. */
type Standing = 'usable' | 'unconfirmed' | 'pending' | 'disabled' | 'moved'

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
  disabled: boolean
  moved: boolean
  feeds_kept: boolean
}

const PERSON = `u.id as user_id, u.account_id, u.role_id, u.confirmed_at is not null as confirmed, u.approved,
  (u.disabled_at is not null or a.suspended_at is not null or a.memorial) as disabled,
  a.moved_to_account_id is not null as moved, u.feeds = 'kept' as feeds_kept`

/** Once a day is enough to know who has been here lately, and in every week who has been here in it. */
const UNSEEN = `u.last_seen_at < greatest(now() - interval '1 day', date_trunc('week', now(), 'UTC'))`

const findToken = statement<
  PersonRow & { token_id: string; application_id: string | null; scopes: string[]; revoked: boolean; stale: boolean }
>(
  `select t.id as token_id, t.application_id, t.scopes, t.revoked_at is not null as revoked,
     coalesce(t.last_used_at < now() - interval '1 day', true)
       or coalesce(${UNSEEN}, false) as stale, ${PERSON}
   from access_tokens t left join users u on u.id = t.user_id left join accounts a on a.id = u.account_id
   where t.token_hash = $1`,
)

const findSession = statement<PersonRow & { stale: boolean }>(
  `select ${UNSEEN} or s.last_used_at < now() - interval '1 day' as stale, ${PERSON}
   from sessions s join users u on u.id = s.user_id join accounts a on a.id = u.account_id
   where s.id_hash = $1 and s.expires_at > now()`,
)

const touchToken = statement(`update access_tokens set last_used_at = now() where id = $1`)
const touchSession = statement(
  `update sessions set last_used_at = now(), expires_at = now() + interval '${SESSION_DAYS} days' where id_hash = $1`,
)
// Who is away for long loses their feeds, maybe in this very moment.
const touchUser = statement<{ feeds_kept: boolean }>(
  `${NOTING_LOGIN} update users set last_seen_at = now() where id = $1 returning feeds = 'kept' as feeds_kept`,
)

/** What a token stands for; `unknown` and `revoked` when it does not count. */
export async function findBearer(read: Read, { token }: { token: string }): Promise<Bearer | 'unknown' | 'revoked'> {
  const [row] = await findToken(read.db, [hashSecret(token)])
  if (!row) return 'unknown'
  if (row.revoked) return 'revoked'
  // Seldom, so that reading is free of writes.
  if (row.stale) {
    await touchToken(read.db, [row.token_id])
    if (row.user_id) Object.assign(row, ...(await touchUser(read.db, [row.user_id])))
  }
  const scopes = row.scopes
  return {
    tokenId: row.token_id,
    applicationId: row.application_id,
    scopes,
    viewer: row.user_id ? viewerOf(row, { tokenId: row.token_id, scopes }) : null,
  }
}

const findPeople = statement<PersonRow & { token_id: string }>(
  `select t.id as token_id, ${PERSON}
   from access_tokens t join users u on u.id = t.user_id join accounts a on a.id = u.account_id
   where t.id = any($1::bigint[]) and t.revoked_at is null`,
)

/** Of these tokens, those by which a person may still act. */
export async function keepUsableTokens(read: Read, { tokenIds }: { tokenIds: readonly string[] }): Promise<string[]> {
  if (tokenIds.length === 0) return []
  const rows = await findPeople(read.db, [tokenIds])
  return rows.filter((row) => standingOf(row) === 'usable').map((row) => row.token_id)
}

/** The person of a browser session, or null. */
export async function findSessionViewer(read: Read, { sessionId }: { sessionId: string }): Promise<Viewer | null> {
  const idHash = hashSecret(sessionId)
  const [row] = await findSession(read.db, [idHash])
  if (!row) return null
  // Each day of use moves the end of the session.
  if (row.stale) {
    await touchSession(read.db, [idHash])
    Object.assign(row, ...(await touchUser(read.db, [row.user_id])))
  }
  return viewerOf(row, { tokenId: null, scopes: [] })
}

function viewerOf(row: PersonRow, { tokenId, scopes }: { tokenId: string | null; scopes: readonly string[] }): Viewer {
  const standing = standingOf(row)
  return {
    accountId: row.account_id,
    userId: row.user_id,
    tokenId,
    scopes,
    roleId: row.role_id,
    standing,
    feedsKept: row.feeds_kept,
  }
}

function standingOf(row: PersonRow): Standing {
  if (row.disabled) return 'disabled'
  if (row.moved) return 'moved'
  return !row.confirmed ? 'unconfirmed' : !row.approved ? 'pending' : 'usable'
}

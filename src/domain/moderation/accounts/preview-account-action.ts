import { ForbiddenError, NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import { purgeTimeOf } from '../../account-deletion/schedule-purges.ts'
import type { Read } from '../../context.ts'
import type { AccountAction } from './moderate-account.ts'

/** The number of rows that each count examines at most, so that the time does not depend on the account. */
export const MAX_COUNTED = 20_000

/** What an action would affect. Of each kind of rows, at most `MAX_COUNTED` are counted. */
interface AffectedRows {
  statuses: number
  local_followers: number
  remote_followers: number
  local_following: number
  remote_following: number
  /** To and from the account. */
  follow_requests: number
  /** Lists of other users that contain the account. */
  lists: number
  /** Collections of the account, and those of others that contain it. */
  collections: number
  open_reports: number
  sessions: number
  /** Applications with access to the account. */
  applications: number
  scheduled_statuses: number
  media_files: number
  media_bytes: number
  /** Servers that receive an activity. */
  servers: number
  /** Follows of local users by a remote account, which end for good: only its own server can follow them again. */
  lost_follows: number
}

export interface ActionImpact extends AffectedRows {
  reversible: boolean
  /** Null: without a limit in time, or not at all. */
  reversibleUntil: Date | null
}

type Row = Omit<AffectedRows, 'media_bytes' | 'lost_follows'> & {
  media_bytes: string
  is_local: boolean
  has_user: boolean
  due_at: Date | null
  started_at: Date | null
}

const count = statement<{
  params: { accountId: string }
  row: Row
  notNull: Exclude<keyof Row, 'due_at' | 'started_at'>
}>(
  `with target as (
     select a.id, a.domain, u.id as user_id, p.due_at, p.started_at
     from accounts a left join users u on u.account_id = a.id left join account_purges p on p.account_id = a.id
     where a.id = $accountId
   ), followers as materialized (
     select f.account_id from follows f where f.target_account_id = $accountId limit ${MAX_COUNTED}
   ), following as materialized (
     select f.target_account_id from follows f where f.account_id = $accountId limit ${MAX_COUNTED}
   ), follower_counts as (
     select count(*) filter (where a.domain is null)::int as local, count(a.domain)::int as remote,
       count(distinct lower(substring(coalesce(a.shared_inbox_url, a.inbox_url) from '^https://([^/?#@]+)')))::int
         as servers
     from followers f join accounts a on a.id = f.account_id
   ), following_counts as (
     select count(*) filter (where a.domain is null)::int as local, count(a.domain)::int as remote
     from following f join accounts a on a.id = f.target_account_id
   ), media as (
     (select m.byte_size from media_attachments m
       where m.account_id = $accountId and m.file_key is not null limit ${MAX_COUNTED})
     union all
     (select c.byte_size from media_attachments m join cached_files c on c.media_id = m.id
       where m.account_id = $accountId and c.file_key is not null limit ${MAX_COUNTED})
     union all
     select c.byte_size from cached_files c where c.account_id = $accountId and c.file_key is not null
   )
   select t.domain is null as is_local, t.user_id is not null as has_user, t.due_at, t.started_at,
     follower_counts.local as local_followers, follower_counts.remote as remote_followers, follower_counts.servers,
     following_counts.local as local_following, following_counts.remote as remote_following,
     (select count(*)::int from (
       select from statuses s where s.account_id = $accountId and s.deleted_at is null limit ${MAX_COUNTED}) s)
       as statuses,
     (select count(*)::int from (
       (select from follow_requests r where r.account_id = $accountId limit ${MAX_COUNTED})
       union all (select from follow_requests r where r.target_account_id = $accountId limit ${MAX_COUNTED})) r)
       as follow_requests,
     (select count(*)::int from (
       select from list_accounts l where l.account_id = $accountId limit ${MAX_COUNTED}) l) as lists,
     (select count(*)::int from (
       (select from collections c where c.account_id = $accountId limit ${MAX_COUNTED})
       union all (select from collection_items i
         where i.account_id = $accountId and i.state in ('pending', 'accepted') limit ${MAX_COUNTED})) c)
       as collections,
     (select count(*)::int from (
       select from reports r where r.target_account_id = $accountId and r.action_taken_at is null
       limit ${MAX_COUNTED}) r) as open_reports,
     (select count(*)::int from sessions x where x.user_id = t.user_id) as sessions,
     (select count(distinct k.application_id)::int from access_tokens k
       where k.user_id = t.user_id and k.revoked_at is null) as applications,
     (select count(*)::int from scheduled_statuses c where c.account_id = $accountId) as scheduled_statuses,
     (select count(*)::int from media) as media_files,
     (select coalesce(sum(byte_size), 0) from media) as media_bytes
   from target t, follower_counts, following_counts`,
)

/** What each action leaves as it was. */
const UNAFFECTED: Readonly<Record<AccountAction | 'delete', Partial<AffectedRows> | 'all'>> = {
  none: 'all',
  disable: { ...noRelationships(), statuses: 0, media_files: 0, media_bytes: 0 },
  sensitive: { ...noRelationships(), ...noAccess() },
  silence: { ...noRelationships(), ...noAccess() },
  suspend: {},
  delete: {},
}

/**
 * Returns what a moderation action against an account would affect, without changing anything. `delete`: the deletion of
 * all its data, which begins with a suspension.
 * @throws NotFoundError; ForbiddenError for an action that is not possible for a remote account or one that was deleted
 */
export async function previewAccountAction(
  read: Read,
  { accountId, action, now }: { accountId: string; action: AccountAction | 'delete'; now: Date },
): Promise<ActionImpact> {
  const [row] = isId(accountId) ? await count(read.db, { accountId }) : []
  if (!row) throw new NotFoundError()
  const { is_local: isLocal, has_user: hasUser, due_at: dueAt, started_at: startedAt, ...counts } = row
  if (!hasUser && (isLocal || action === 'none' || action === 'disable')) throw new ForbiddenError()
  const endsFollows = !isLocal && (action === 'suspend' || action === 'delete')
  const affected: AffectedRows = {
    ...counts,
    media_bytes: Number(counts.media_bytes),
    // A remote account's server receives a Reject of each of these follows.
    servers: isLocal ? counts.servers : Number(counts.local_following > 0),
    lost_follows: endsFollows ? counts.local_following : 0,
  }
  const unaffected = UNAFFECTED[action]
  // A warning has no effect that could be taken back.
  const isReversible = action !== 'delete' && action !== 'none' && startedAt === null
  return {
    ...affected,
    ...(unaffected === 'all' ? { ...allZero(affected) } : unaffected),
    reversible: isReversible,
    reversibleUntil: isReversible && action === 'suspend' ? (dueAt ?? purgeTimeOf({ now })) : null,
  }
}

function noRelationships(): Partial<AffectedRows> {
  return {
    local_followers: 0,
    remote_followers: 0,
    local_following: 0,
    remote_following: 0,
    follow_requests: 0,
    lists: 0,
    collections: 0,
    servers: 0,
  }
}

function noAccess(): Partial<AffectedRows> {
  return { sessions: 0, applications: 0, scheduled_statuses: 0 }
}

function allZero(affected: AffectedRows): AffectedRows {
  return Object.fromEntries(Object.keys(affected).map((name) => [name, 0])) as unknown as AffectedRows
}

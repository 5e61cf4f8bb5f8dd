import { NotFoundError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { restorationDeadlineOf } from '../../statuses/write/purge-hidden-statuses.ts'
import { checkNumber } from './moderate-statuses.ts'
import { MAX_COUNTED } from '../accounts/preview-account-action.ts'
import { REPORTED_IDS, visibleToStaff } from './visible-to-staff.ts'

/** What the deletion of statuses would affect. Of each kind of rows, at most `MAX_COUNTED` are counted. */
interface AffectedRows {
  statuses: number
  replies: number
  reblogs: number
  favourites: number
  bookmarks: number
  quotes: number
  media_files: number
  media_bytes: number
  /** Servers that receive a Delete. */
  servers: number
}

export interface StatusActionImpact extends AffectedRows {
  reversible: boolean
  /** Null: not reversible. */
  reversibleUntil: Date | null
}

type Row = Omit<AffectedRows, 'media_bytes'> & { media_bytes: string; all_retained: boolean | null }

/** SQL that counts rows of a table that belong to a target. */
const countOf = (table: string, column: string, condition = 'true') =>
  `(select count(*)::int from (
     select from target t join ${table} x on x.${column} = t.id and ${condition} limit ${MAX_COUNTED}) x)`

/** SQL that selects the accounts of rows of a table that belong to a local target. */
const accountsOf = (table: string, column: string, condition = 'true') =>
  `(select x.account_id from federated t join ${table} x on x.${column} = t.id and ${condition} limit ${MAX_COUNTED})`

const count = statement<{
  params: { accountId: string; staffId: string; statusIds: readonly string[] }
  row: Row
  notNull: Exclude<keyof Row, 'all_retained'>
}>(
  `with target as materialized (
     select s.id, s.local, s.local_only, s.visibility, s.in_reply_to_account_id,
       s.local or s.id = any(${REPORTED_IDS}) as is_retained
     from statuses s
     where s.id = any($statusIds::bigint[]) and s.account_id = $accountId and s.deleted_at is null
       and s.reblog_of_id is null and ${visibleToStaff()}
   ), federated as (
     select * from target where local and not local_only
   ), recipient as (
     (select f.account_id from follows f where f.target_account_id = $accountId
       and exists (select from federated t where t.visibility <> 'direct') limit ${MAX_COUNTED})
     union all select t.in_reply_to_account_id from federated t
     union all ${accountsOf('mentions', 'status_id')}
     union all ${accountsOf('statuses', 'in_reply_to_id')}
     union all ${accountsOf('statuses', 'reblog_of_id')}
     union all ${accountsOf('favourites', 'status_id')}
     union all ${accountsOf('quotes', 'quoted_status_id', "x.state = 'accepted'")}
     union all (select v.account_id from federated t join polls p on p.status_id = t.id
       join poll_votes v on v.poll_id = p.id limit ${MAX_COUNTED})
   ), media as materialized (
     (select m.byte_size from target t join media_attachments m on m.status_id = t.id
       where m.file_key is not null limit ${MAX_COUNTED})
     union all
     (select c.byte_size from target t join media_attachments m on m.status_id = t.id
       join cached_files c on c.media_id = m.id where c.file_key is not null limit ${MAX_COUNTED})
   )
   select (select count(*)::int from target) as statuses, (select bool_and(is_retained) from target) as all_retained,
     ${countOf('statuses', 'in_reply_to_id', 'x.deleted_at is null')} as replies,
     ${countOf('statuses', 'reblog_of_id', 'x.deleted_at is null')} as reblogs,
     ${countOf('favourites', 'status_id')} as favourites, ${countOf('bookmarks', 'status_id')} as bookmarks,
     ${countOf('quotes', 'quoted_status_id', "x.state in ('pending', 'accepted')")} as quotes,
     (select count(*)::int from media) as media_files, (select coalesce(sum(byte_size), 0) from media) as media_bytes,
     (select count(distinct lower(substring(coalesce(a.shared_inbox_url, a.inbox_url) from '^https://([^/?#@]+)')))::int
       from (select distinct account_id from recipient) r join accounts a on a.id = r.account_id
       where a.domain is not null and a.suspended_at is null) as servers`,
)

/**
 * Returns what the deletion of statuses of an account by staff would affect, without changing anything. Leaves out the
 * statuses that the action leaves out.
 * @throws NotFoundError if no status is left; ValidationError if they are too many
 */
export async function previewStatusDeletion(
  read: Read,
  {
    accountId,
    staffId,
    statusIds,
    now,
  }: { accountId: string; staffId: string; statusIds: readonly string[]; now: Date },
): Promise<StatusActionImpact> {
  checkNumber(statusIds)
  const [row] = isId(accountId) ? await count(read.db, { accountId, staffId, statusIds: statusIds.filter(isId) }) : []
  if (!row || row.statuses === 0) throw new NotFoundError()
  const { all_retained: allRetained, media_bytes: mediaBytes, ...counts } = row
  const reversible = allRetained === true
  return {
    ...counts,
    media_bytes: Number(mediaBytes),
    reversible,
    reversibleUntil: reversible ? restorationDeadlineOf({ now }) : null,
  }
}

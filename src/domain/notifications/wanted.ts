import { blocksDomainOf } from '../relationships/domain-blocking.ts'
import { usableAccount } from '../accounts/usable.ts'
import { visibleTo } from '../statuses/visibility.ts'
import type { NotificationKind } from './kinds.ts'

/** The permissions of a role that make its holder one of the staff: administrator, reports, users. */
const STAFF_PERMISSIONS = (1n << 0n) | (1n << 4n) | (1n << 10n)

/** What one may have caused oneself: the end of a poll, and what the server tells of one's own account. */
const FROM_ONESELF = [
  'poll',
  'severed_relationships',
  'moderation_warning',
  'annual_report',
] satisfies NotificationKind[]

const blocked = (by: string, whom: string) =>
  `exists (select from blocks b where b.account_id = ${by} and b.target_account_id = ${whom})`
const silenced = (by: string, whom: string) =>
  `exists (select from mutes m where m.account_id = ${by} and m.target_account_id = ${whom} and m.hide_notifications
     and (m.expires_at is null or m.expires_at > $now))`

/** Whether a mention is of one of the staff to somebody below them, as SQL. */
export const isFromStaff = `($kind = 'mention' and exists (
  select from roles r join roles below on below.id = u.role_id
  where r.id = sender_user.role_id and r.highlighted and r.position > below.position
    and r.permissions & ${STAFF_PERMISSIONS} <> 0))`

/**
 * Whether somebody is told at all, as SQL: every reason why not, in one place. `a` and `u` are the recipient, `sender`
 * and `sender_user` who caused it; $kind kind, $statusId status or null, $now now.
 */
export const isWanted = `${usableAccount()} and ${usableAccount('sender', 'sender_user')}
  and (a.id <> sender.id or $kind = any('{${FROM_ONESELF.join(',')}}'))
  and ($statusId::bigint is null or exists (select from statuses s where s.id = $statusId and ${visibleTo('a.id')}))
  -- what the staff says to those below them arrives, and what the staff has to look at
  and ($kind = 'admin.report' or ${isFromStaff}
    or (not ${blocked('a.id', 'sender.id')} and not ${blocked('sender.id', 'a.id')}
      and not ${silenced('a.id', 'sender.id')}
      and (not ${blocksDomainOf('a.id', 'sender')} or exists (
        select from follows f where f.account_id = a.id and f.target_account_id = sender.id))
      and not exists (select from statuses s join conversation_mutes quiet on quiet.conversation_id = s.conversation_id
        where s.id = $statusId and quiet.account_id = a.id)
      -- nor does a talk with somebody whom the recipient does not want to hear
      and ($kind <> 'mention' or not exists (
        select from (
          select mentioned.account_id from mentions mentioned where mentioned.status_id = $statusId and not mentioned.silent
          union all select s.in_reply_to_account_id from statuses s where s.id = $statusId
        ) other
        where other.account_id <> a.id and (${blocked('a.id', 'other.account_id')}
          or ${silenced('a.id', 'other.account_id')})))))`

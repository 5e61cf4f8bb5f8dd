import { blocksDomainOf } from '../../access/user-domain-blocks.ts'
import { usableAccount } from '../../access/usable-account.ts'
import { visibleTo } from '../../access/visibility.ts'
import type { NotificationType } from './notification-types.ts'

/** The permissions that make a role a staff role: administrator, manage reports, manage users. */
const STAFF_PERMISSIONS = (1n << 0n) | (1n << 4n) | (1n << 10n)

/** Types that the recipient may have caused, or that have no other sender. */
const SELF_CAUSED_TYPES = [
  'poll',
  'severed_relationships',
  'moderation_warning',
  'annual_report',
] satisfies NotificationType[]

const blocks = (account: string, target: string) =>
  `exists (select from blocks b where b.account_id = ${account} and b.target_account_id = ${target})`
const mutesNotifications = (account: string, target: string) =>
  `exists (select from mutes m where m.account_id = ${account} and m.target_account_id = ${target} and m.hide_notifications
     and (m.expires_at is null or m.expires_at > $now))`

/** SQL condition: a staff member mentions a user with a lower role. */
export const isFromStaff = `($kind = 'mention' and exists (
  select from roles r join roles below on below.id = u.role_id
  where r.id = sender_user.role_id and r.highlighted and r.position > below.position
    and r.permissions & ${STAFF_PERMISSIONS} <> 0))`

/**
 * SQL condition: the recipient is eligible for a notification. Contains every reason against it. Aliases: `a` and `u`
 * the recipient, `sender` and `sender_user` the account that caused it, `cause.status_id` the status or null.
 * Parameters: $kind, $now.
 */
export const isEligible = `${usableAccount()} and ${usableAccount('sender', 'sender_user')}
  and (a.id <> sender.id or $kind = any('{${SELF_CAUSED_TYPES.join(',')}}'))
  and (cause.status_id is null or exists (select from statuses s where s.id = cause.status_id and ${visibleTo('a.id')}))
  -- reports to staff arrive despite these conditions, unless the sender is muted, and mentions by staff in any case
  and (($kind = 'admin.report' and not ${mutesNotifications('a.id', 'sender.id')}) or ${isFromStaff}
    or (not ${blocks('a.id', 'sender.id')} and not ${blocks('sender.id', 'a.id')}
      and not ${mutesNotifications('a.id', 'sender.id')}
      and (not ${blocksDomainOf('a.id', 'sender')} or exists (
        select from follows f where f.account_id = a.id and f.target_account_id = sender.id))
      and not exists (select from statuses s join conversation_mutes quiet on quiet.conversation_id = s.conversation_id
        where s.id = cause.status_id and quiet.account_id = a.id)
      -- a mention does not arrive if the conversation includes an account that the recipient blocks or mutes
      and ($kind <> 'mention' or not exists (
        select from (
          select mentioned.account_id from mentions mentioned where mentioned.status_id = cause.status_id and not mentioned.silent
          union all select s.in_reply_to_account_id from statuses s where s.id = cause.status_id
        ) other
        where other.account_id <> a.id and (${blocks('a.id', 'other.account_id')}
          or ${mutesNotifications('a.id', 'other.account_id')})))))`

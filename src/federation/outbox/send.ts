import type { Tx } from '../../domain/context.ts'
import { suspendedHost } from '../../domain/moderation/suspended-host.ts'
import { statement } from '../../platform/db/statement.ts'
import { documentOf } from '../objects/write-activities.ts'
import type { Activity } from '../objects/write-activities.ts'

/** Who gets an activity. Those who are of here, or suspended, are left out. */
export interface Recipients {
  /** The followers of these accounts. */
  followersOf?: readonly string[]
  /** These accounts. */
  accountIds?: readonly string[]
  /** Whom this status mentions, also without showing it. */
  mentionedIn?: string
  /** Who answered, boosted, favourited or quotes this status, or voted in its poll. */
  reachedBy?: string
}

export interface Outgoing {
  activity: Activity
  /** Who signs it; null = the instance. */
  accountId: string | null
  /** What it is about, if that is a status. */
  statusId?: string
  to: Recipients
  /** To the inbox of each person rather than to one inbox for all of a host. */
  personally?: boolean
  /** Also to hosts that were given up: an answer would show that they are back. */
  evenIfUnavailable?: boolean
  /** Sent anew when it was sent before: the other side asked again. */
  again?: boolean
}

// A limited author reaches only those of the mentioned who chose to be reached. Nothing is written that nobody gets.
const write = statement<{
  params: {
    activityUri: string
    accountId: string | null
    statusId: string | null
    body: string
    now: Date
    followersOf: readonly string[]
    accountIds: readonly string[]
    mentionedIn: string | null
    reachedBy: string | null
    personally: boolean
    evenIfUnavailable: boolean
    again: boolean
  }
  row: { domain: string; retry_after: Date | null }
}>(
  `with recipient as (
     select account_id as id from follows where target_account_id = any($followersOf::bigint[])
     union all select unnest($accountIds::bigint[])
     union all select m.account_id
       from mentions m join statuses s on s.id = m.status_id join accounts author on author.id = s.account_id
       where m.status_id = $mentionedIn and (author.silenced_at is null
         or exists (select from follows f where f.account_id = m.account_id and f.target_account_id = s.account_id)
         or exists (select from follow_requests r
           where r.account_id = m.account_id and r.target_account_id = s.account_id))
     union all select account_id from statuses
       where (in_reply_to_id = $reachedBy or reblog_of_id = $reachedBy) and deleted_at is null
     union all select account_id from favourites where status_id = $reachedBy
     union all select account_id from quotes where quoted_status_id = $reachedBy and state = 'accepted'
     union all select v.account_id from poll_votes v join polls p on p.id = v.poll_id where p.status_id = $reachedBy
   ), inbox as (
     select distinct case when $personally then a.inbox_url else coalesce(a.shared_inbox_url, a.inbox_url) end as url
     from recipient join accounts a on a.id = recipient.id
     where a.domain is not null and a.suspended_at is null
   ), reached as (
     select url, lower(substring(url from '^https://([^/?#@]+)(?:/|$)')) as host from inbox
   ), target as materialized (
     select r.url, r.host, h.retry_after from reached r left join hosts h on h.domain = r.host
     where r.host is not null and (h.unavailable_since is null or $evenIfUnavailable) and not ${suspendedHost('r.host')}
   ), activity as (
     insert into sent_activities (uri, account_id, status_id, body, created_at)
     select $activityUri, $accountId, $statusId, $body, $now where exists (select from target)
     on conflict (uri) do update set uri = excluded.uri where $again
     returning id
   ), delivery as (
     insert into deliveries as d (activity_id, inbox_url, domain, created_at, next_try_at)
     select activity.id, target.url, target.host, $now, $now from activity, target order by target.host
     on conflict (activity_id, inbox_url) do update
       set state = 'waiting', attempts = 0, created_at = excluded.created_at, next_try_at = excluded.next_try_at
       where d.state <> 'waiting'
     returning domain
   )
   -- In brackets, so that what is delivered is hashed once rather than looked through for each host.
   select distinct host as domain, retry_after from target where (host in (select domain from delivery)) is true
   order by host`,
)

/**
 * Writes down an activity and who is to get it, each inbox once, and sees to it that it leaves. An activity that was
 * written down before stays as it is.
 */
export async function sendActivity(tx: Tx, outgoing: Outgoing): Promise<void> {
  const { activity, to } = outgoing
  const hosts = await write(tx.db, {
    activityUri: activity.uri,
    accountId: outgoing.accountId,
    statusId: outgoing.statusId ?? null,
    body: documentOf(activity),
    now: tx.now,
    followersOf: to.followersOf ?? [],
    accountIds: to.accountIds ?? [],
    mentionedIn: to.mentionedIn ?? null,
    reachedBy: to.reachedBy ?? null,
    personally: outgoing.personally ?? false,
    evenIfUnavailable: outgoing.evenIfUnavailable ?? false,
    again: outgoing.again ?? false,
  })
  for (const { domain, retry_after } of hosts) {
    const rests = retry_after !== null && retry_after > tx.now
    tx.emit('deliveries.due', { domain }, rests ? retry_after : undefined)
  }
}

const withdraw = statement<{ params: { statusId: string } }>(
  `delete from deliveries d using sent_activities a
   where a.status_id = $statusId and d.activity_id = a.id and d.state = 'waiting'`,
)

/** Takes back what was to be sent about a status and has not been. What is on its way at this moment still arrives. */
export async function withdrawActivities(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  await withdraw(tx.db, { statusId })
}

const withdrawAll = statement<{ params: { accountId: string; uri: string } }>(
  `delete from deliveries d using sent_activities a
   where a.account_id = $accountId and a.uri <> $uri and d.activity_id = a.id and d.state = 'waiting'`,
)

/** Takes back what somebody was to send and has not sent, except this one activity. */
export async function withdrawAllBut(tx: Tx, { accountId, uri }: { accountId: string; uri: string }): Promise<void> {
  await withdrawAll(tx.db, { accountId, uri })
}

import type { Tx } from '../../domain/context.ts'
import { isHostFederating } from '../../domain/domain-blocks/federating-domain.ts'
import { statement } from '../../platform/db/statement.ts'
import { toDocument } from '../objects/write/write-activities.ts'
import type { Activity } from '../objects/write/write-activities.ts'

/** The recipients of an activity. Local accounts, and usually suspended ones, are skipped. */
export interface ActivityRecipients {
  /** The followers of these accounts. */
  followersOf?: readonly string[]
  /** These accounts. */
  accountIds?: readonly string[]
  /** The accounts that this status mentions, including silent mentions. */
  mentionedIn?: string
  /** These inboxes, which belong to no account: those of relays. */
  inboxes?: readonly string[]
  /** The accounts that replied to, reblogged, favourited or quote this status, or voted in its poll. */
  interactedWith?: string
}

/** The kinds of recipients that are accounts. */
const ACCOUNT_KINDS = ['followersOf', 'accountIds', 'mentionedIn', 'interactedWith'] as const
type AccountKind = (typeof ACCOUNT_KINDS)[number]

interface SentActivity {
  activity: Activity
  /** The account that signs; null for the instance actor. */
  accountId: string | null
  /** The status that it is about, if any. */
  statusId?: string
  to: ActivityRecipients
}

interface SendOptions {
  /** Use the personal inboxes of the recipients rather than shared inboxes. */
  toPersonalInboxes?: boolean
  /** Also send to unavailable hosts: a response would show that they are back. */
  evenIfUnavailable?: boolean
  /** Also send to accounts that are suspended here: their server has to know that their follow has ended. */
  evenIfSuspended?: boolean
  /** Send again even if the activity was sent before, because the remote server repeated its request. */
  resend?: boolean
  /** The encrypted former private key of the account, if it signs instead of the present one. */
  signingKey?: Buffer
}

export interface OutgoingActivity extends SentActivity, SendOptions {}

// The mentions of a limited author only reach accounts that follow the author or requested to. No row is inserted for
// an activity without recipients.
const insertDeliveries = statement<{
  params: {
    uris: readonly string[]
    accountIds: readonly (string | null)[]
    statusIds: readonly (string | null)[]
    bodies: readonly string[]
    now: Date
    /** The recipients: the n-th kind with the n-th id belongs to the activity at the n-th position. */
    positions: readonly number[]
    kinds: readonly AccountKind[]
    ids: readonly string[]
    /** Inboxes of no account: the n-th one is for the activity at the n-th of these positions. */
    inboxPositions: readonly number[]
    inboxes: readonly string[]
    toPersonalInboxes: boolean
    evenIfUnavailable: boolean
    evenIfSuspended: boolean
    resend: boolean
    signingKey: Buffer | null
    limitedFederation: boolean
  }
  row: { domain: string; retry_after: Date | null }
}>(
  `with outgoing as materialized (
     select * from unnest($uris::text[], $accountIds::bigint[], $statusIds::bigint[], $bodies::text[])
       with ordinality given (uri, account_id, status_id, body, position)
   ), named as materialized (
     select * from unnest($positions::int[], $kinds::text[], $ids::bigint[]) given (position, kind, id)
   ), recipient as (
     select n.position, f.account_id as id from named n join follows f on f.target_account_id = n.id
       where n.kind = 'followersOf'
     union all select position, id from named where kind = 'accountIds'
     union all select n.position, m.account_id from named n join mentions m on m.status_id = n.id
         join statuses s on s.id = m.status_id join accounts author on author.id = s.account_id
       where n.kind = 'mentionedIn' and (author.silenced_at is null
         or exists (select from follows f where f.account_id = m.account_id and f.target_account_id = s.account_id)
         or exists (select from follow_requests r
           where r.account_id = m.account_id and r.target_account_id = s.account_id))
     union all select n.position, reply.account_id from named n join statuses reply on reply.in_reply_to_id = n.id
       where n.kind = 'interactedWith' and reply.deleted_at is null
     union all select n.position, reblog.account_id from named n join statuses reblog on reblog.reblog_of_id = n.id
       where n.kind = 'interactedWith' and reblog.deleted_at is null
     union all select n.position, f.account_id from named n join favourites f on f.status_id = n.id
       where n.kind = 'interactedWith'
     union all select n.position, q.account_id from named n join quotes q on q.quoted_status_id = n.id
       where n.kind = 'interactedWith' and q.state = 'accepted'
     union all select n.position, v.account_id
       from named n join polls p on p.status_id = n.id join poll_votes v on v.poll_id = p.id
       where n.kind = 'interactedWith'
   ), inbox as (
     select distinct recipient.position,
       case when $toPersonalInboxes then a.inbox_url else coalesce(a.shared_inbox_url, a.inbox_url) end as url
     from recipient join accounts a on a.id = recipient.id
     where a.domain is not null and (a.suspended_at is null or $evenIfSuspended)
     union select * from unnest($inboxPositions::int[], $inboxes::text[])
   ), recipient_inbox as (
     select position, url, lower(substring(url from '^https://([^/?#@]+)(?:/|$)')) as host from inbox
   ), target as materialized (
     select r.position, r.url, r.host, h.retry_after from recipient_inbox r left join hosts h on h.domain = r.host
     where r.host is not null and (h.unreachable_since is null or $evenIfUnavailable)
       and ${isHostFederating('r.host')}
   ), activity as (
     insert into sent_activities (uri, account_id, status_id, body, created_at, signing_key)
     select uri, account_id, status_id, body, $now, $signingKey from outgoing
     where position in (select position from target) order by position
     on conflict (uri) do update set uri = excluded.uri where $resend
     returning id, uri
   ), delivery as (
     insert into deliveries as d (activity_id, inbox_url, domain, created_at, next_attempt_at)
     select activity.id, target.url, target.host, $now, $now
     from activity join outgoing on outgoing.uri = activity.uri join target on target.position = outgoing.position
     order by target.host
     on conflict (activity_id, inbox_url) do update
       set state = 'pending', attempts = 0, created_at = excluded.created_at, next_attempt_at = excluded.next_attempt_at
       where d.state <> 'pending'
     returning domain
   )
   -- The parentheses let the planner hash the deliveries once rather than scan them for each host.
   select distinct host as domain, retry_after from target where (host in (select domain from delivery)) is true
   order by host`,
)

/**
 * Stores activities, each with one delivery per inbox of its recipients, and schedules the deliveries. An activity that
 * was stored before is not changed. Runs one statement for any number of activities.
 */
export async function sendActivities(
  tx: Tx,
  { activities, ...options }: { activities: readonly SentActivity[] } & SendOptions,
): Promise<void> {
  const distinct = [...new Map(activities.map((outgoing) => [outgoing.activity.uri, outgoing])).values()]
  if (distinct.length === 0) return
  const recipients = distinct.flatMap(({ to }, n) =>
    recipientsOf(to).map((recipient) => ({ ...recipient, position: n + 1 })),
  )
  const inboxes = distinct.flatMap(({ to }, n) => (to.inboxes ?? []).map((url) => ({ url, position: n + 1 })))
  const hosts = await insertDeliveries(tx.db, {
    uris: distinct.map(({ activity }) => activity.uri),
    accountIds: distinct.map(({ accountId }) => accountId),
    statusIds: distinct.map(({ statusId }) => statusId ?? null),
    bodies: distinct.map(({ activity }) => toDocument(activity)),
    now: tx.now,
    positions: recipients.map(({ position }) => position),
    kinds: recipients.map(({ kind }) => kind),
    ids: recipients.map(({ id }) => id),
    inboxPositions: inboxes.map(({ position }) => position),
    inboxes: inboxes.map(({ url }) => url),
    toPersonalInboxes: options.toPersonalInboxes ?? false,
    evenIfUnavailable: options.evenIfUnavailable ?? false,
    evenIfSuspended: options.evenIfSuspended ?? false,
    resend: options.resend ?? false,
    signingKey: options.signingKey ?? null,
    limitedFederation: tx.config.access.limitedFederation,
  })
  emitDueDeliveries(tx, hosts)
}

function recipientsOf(to: ActivityRecipients): { kind: AccountKind; id: string }[] {
  return ACCOUNT_KINDS.flatMap((kind) => [to[kind] ?? []].flat().map((id) => ({ kind, id })))
}

/** Does the same for one activity. */
export async function sendActivity(
  tx: Tx,
  { activity, accountId, statusId, to, ...options }: OutgoingActivity,
): Promise<void> {
  const outgoing = { activity, accountId, ...(statusId !== undefined && { statusId }), to }
  await sendActivities(tx, { activities: [outgoing], ...options })
}

/** Schedules the deliveries to hosts for now, or for the time at which a host may be tried again. */
function emitDueDeliveries(tx: Tx, hosts: readonly { domain: string; retry_after: Date | null }[]): void {
  for (const { domain, retry_after } of hosts) {
    const isBackingOff = retry_after !== null && retry_after > tx.now
    tx.emit('deliveries.due', { domain }, isBackingOff ? retry_after : undefined)
  }
}

const cancelForStatus = statement<{ params: { statusId: string } }>(
  `delete from deliveries d using sent_activities a
   where a.status_id = $statusId and d.activity_id = a.id and d.state = 'pending'`,
)

/** Cancels the pending deliveries about a status. Requests that are running at this moment are not cancelled. */
export async function cancelDeliveriesForStatus(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  await cancelForStatus(tx.db, { statusId })
}

// The ids of these Updates begin like this; those with a new key have other ids.
const cancelUpdates = statement<{ params: { accountId: string; actor: string } }>(
  `delete from deliveries d using sent_activities a
   where a.account_id = $accountId and starts_with(a.uri, $actor || '#updates/') and d.activity_id = a.id
     and d.state = 'pending'`,
)

/** Cancels the pending Updates of an account's profile, except those with a new key. */
export async function cancelActorUpdates(
  tx: Tx,
  { accountId, actor }: { accountId: string; actor: string },
): Promise<void> {
  await cancelUpdates(tx.db, { accountId, actor })
}

const cancelForAccount = statement<{ params: { accountId: string; uri: string } }>(
  `delete from deliveries d using sent_activities a
   where a.account_id = $accountId and a.uri <> $uri and d.activity_id = a.id and d.state = 'pending'`,
)

/** Cancels the pending deliveries of an account, except those of one activity. */
export async function cancelOtherDeliveries(
  tx: Tx,
  { accountId, uri }: { accountId: string; uri: string },
): Promise<void> {
  await cancelForAccount(tx.db, { accountId, uri })
}

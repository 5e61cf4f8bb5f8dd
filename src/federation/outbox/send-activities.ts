import type { Tx } from '../../domain/context.ts'
import { isHostFederating } from '../../domain/domain-blocks/federating-domain.ts'
import { statement } from '../../platform/db/statement.ts'
import { toDocument } from '../objects/write/write-activities.ts'
import type { Activity } from '../objects/write/write-activities.ts'
import { emitDueDeliveries } from './send-activity.ts'

// Like `sendActivity` to the personal inbox of one account, for each of the activities.
const insertDeliveries = statement<{
  params: {
    uris: readonly string[]
    accountIds: readonly string[]
    bodies: readonly string[]
    recipientIds: readonly string[]
    evenIfUnavailable: boolean
    limitedFederation: boolean
    now: Date
  }
  row: { domain: string; retry_after: Date | null }
}>(
  `with outgoing as (
     select o.*, i.inbox_url, lower(substring(i.inbox_url from '^https://([^/?#@]+)(?:/|$)')) as host
     from unnest($uris::text[], $accountIds::bigint[], $bodies::text[], $recipientIds::bigint[])
         with ordinality o (uri, account_id, body, recipient_id, position)
       join accounts i on i.id = o.recipient_id
     where i.domain is not null and i.suspended_at is null
   ), host as materialized (
     select distinct host as domain from outgoing where host is not null
   ), open_host as materialized (
     select host.domain, h.retry_after from host left join hosts h using (domain)
     where (h.unreachable_since is null or $evenIfUnavailable) and ${isHostFederating('host.domain')}
   ), activity as (
     insert into sent_activities (uri, account_id, body, created_at)
     select o.uri, o.account_id, o.body, $now from outgoing o join open_host on open_host.domain = o.host
     order by o.position
     on conflict (uri) do nothing
     returning id, uri
   ), delivery as (
     insert into deliveries (activity_id, inbox_url, domain, created_at, next_attempt_at)
     select activity.id, o.inbox_url, o.host, $now, $now from activity join outgoing o using (uri) order by activity.id
     returning domain
   )
   select domain, retry_after from open_host where domain in (select domain from delivery) order by domain`,
)

/** An activity for one remote account. */
interface PersonalActivity {
  activity: Activity
  /** The account that signs. */
  accountId: string
  recipientId: string
}

/** Stores many activities, each with a delivery to the personal inbox of one account, and schedules the deliveries. */
export async function sendActivities(
  tx: Tx,
  { activities, evenIfUnavailable }: { activities: readonly PersonalActivity[]; evenIfUnavailable: boolean },
): Promise<void> {
  if (activities.length === 0) return
  const hosts = await insertDeliveries(tx.db, {
    uris: activities.map(({ activity }) => activity.uri),
    accountIds: activities.map(({ accountId }) => accountId),
    bodies: activities.map(({ activity }) => toDocument(activity)),
    recipientIds: activities.map(({ recipientId }) => recipientId),
    evenIfUnavailable,
    limitedFederation: tx.config.access.limitedFederation,
    now: tx.now,
  })
  emitDueDeliveries(tx, hosts)
}

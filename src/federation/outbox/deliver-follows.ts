import type { Ctx } from '../../domain/context.ts'
import { isHostFederating } from '../../domain/domain-blocks/federating-domain.ts'
import { statement } from '../../platform/db/statement.ts'
import { toDocument, writeFollow } from '../objects/write/write-activities.ts'
import { emitDueDeliveries } from './send-activity.ts'

interface RequestRow {
  id: string
  uri: string | null
  account_id: string
  target_account_id: string
  actor: string
  object: string
}

const lockRequests = statement<{
  params: { accountIds: readonly string[]; targetAccountIds: readonly string[] }
  row: RequestRow
}>(
  `select r.id, r.uri, r.account_id, r.target_account_id, a.uri as actor, t.uri as object
   from unnest($accountIds::bigint[], $targetAccountIds::bigint[]) requested (account_id, target_account_id)
     join follow_requests r using (account_id, target_account_id)
     join accounts a on a.id = r.account_id join accounts t on t.id = r.target_account_id
   where a.domain is null and t.domain is not null
   order by r.id for key share of r`,
)
// Like `sendActivity` to the personal inbox of one account, for each of the activities.
const insertDeliveries = statement<{
  params: {
    uris: readonly string[]
    accountIds: readonly string[]
    bodies: readonly string[]
    recipientIds: readonly string[]
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
     where ${isHostFederating('host.domain')}
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

/** Effect: sends the Follows of many follow requests to remote accounts, even if their hosts are unavailable. */
export async function deliverFollows(
  ctx: Ctx,
  { accountIds, targetAccountIds }: { accountIds: readonly string[]; targetAccountIds: readonly string[] },
): Promise<void> {
  await ctx.write(async (tx) => {
    const requests = await lockRequests(tx.db, { accountIds, targetAccountIds })
    if (requests.length === 0) return
    const activities = requests.map(writeFollow)
    const hosts = await insertDeliveries(tx.db, {
      uris: activities.map(({ uri }) => uri),
      accountIds: requests.map((request) => request.account_id),
      bodies: activities.map(toDocument),
      recipientIds: requests.map((request) => request.target_account_id),
      limitedFederation: tx.config.access.limitedFederation,
      now: tx.now,
    })
    emitDueDeliveries(tx, hosts)
  })
}

import type { Ctx } from '../../domain/context.ts'
import { listRelayInboxes } from '../../domain/relays/subscriptions.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri } from '../objects/uris.ts'
import { writeActorDelete } from '../objects/write/write-activities.ts'
import { sendActivity, cancelOtherDeliveries } from './send-activity.ts'

const findDeleted = statement<{ params: { accountId: string } }>(
  `select from accounts a join deleted_usernames d on d.username = lower(a.username) and d.uri = a.uri
   where a.id = $accountId and a.domain is null`,
)

const OWN = 'statuses own where own.account_id = $accountId and own.deleted_at is null'

// The remote accounts that interacted with the account or the reverse; one account per shared inbox.
const findRelatedAccounts = statement<{ params: { accountId: string }; row: { id: string } }>(
  `select distinct on (coalesce(a.shared_inbox_url, a.inbox_url)) a.id
   from accounts a where a.domain is not null and a.inbox_url is not null and a.id in (
     ${['follows', 'follow_requests', 'blocks']
       .map(
         (table) => `select target_account_id from ${table} where account_id = $accountId
     union select account_id from ${table} where target_account_id = $accountId`,
       )
       .join('\n     union ')}
     union select m.account_id from mentions m, ${OWN} and m.status_id = own.id
     union select s.account_id from mentions m join statuses s on s.id = m.status_id where m.account_id = $accountId
     union select own.in_reply_to_account_id from ${OWN}
     union select s.account_id from statuses s where s.in_reply_to_account_id = $accountId
     union select s.account_id from statuses s, ${OWN} and s.id = own.reblog_of_id
     union select s.account_id from statuses s, ${OWN} and s.reblog_of_id = own.id
     union select f.account_id from favourites f, ${OWN} and f.status_id = own.id
     union select s.account_id from favourites f join statuses s on s.id = f.status_id where f.account_id = $accountId
     union select v.account_id from polls p join poll_votes v on v.poll_id = p.id where p.account_id = $accountId
     union select p.account_id from poll_votes v join polls p on p.id = v.poll_id where v.account_id = $accountId
     union select r.account_id from reports r where r.target_account_id = $accountId)
   order by coalesce(a.shared_inbox_url, a.inbox_url), a.id`,
)

/**
 * Effect: sends the Delete of a local account to all servers that may know it and to relays, signed by the account, and
 * cancels its other pending deliveries. Only then may the account's relationships be purged, since they determine the
 * recipients.
 */
export async function deliverActorDelete(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  if ((await findDeleted(ctx.db, { accountId })).length === 0) return
  const relatedAccounts = await findRelatedAccounts(ctx.db, { accountId })
  const activity = writeActorDelete({ actor: actorUri(ctx.config, accountId) })
  await ctx.write(async (tx) => {
    await cancelOtherDeliveries(tx, { accountId, uri: activity.uri })
    const to = { accountIds: relatedAccounts.map(({ id }) => id), inboxes: await listRelayInboxes(tx) }
    await sendActivity(tx, { activity, accountId, to })
    tx.emit('account.purge_requested', { accountId })
  })
}

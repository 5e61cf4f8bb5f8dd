import type { Tx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'

// A delivery that failed is attempted again after newer ones to the same inbox. These functions cancel pending
// deliveries that would then undo what a newer activity says. Requests that are running at this moment are not cancelled.

const cancelUpdates = (isSameOwner: string) =>
  `delete from deliveries d using sent_activities former, sent_activities newer
   where newer.uri = $uri and ${isSameOwner} and former.id <> newer.id
     and starts_with(former.uri, $former) and d.activity_id = former.id and d.state = 'pending'
     and exists (select from deliveries n
       where n.activity_id = newer.id and n.inbox_url = d.inbox_url and n.created_at >= d.created_at)`

const cancelUpdatesOfAccount = statement<{ params: { uri: string; former: string } }>(
  cancelUpdates('former.account_id = newer.account_id'),
)
// An account may have sent thousands of activities, a status has few.
const cancelUpdatesOfStatus = statement<{ params: { uri: string; former: string } }>(
  cancelUpdates('former.status_id = newer.status_id'),
)

/** Cancels the pending Updates of an object to the inboxes that get a newer one, which was sent with the id `uri`. */
export async function cancelFormerUpdates(tx: Tx, { uri, object }: { uri: string; object: string }): Promise<void> {
  await cancelUpdatesOfAccount(tx.db, { uri, former: `${object}#updates/` })
}

/** The same for a note, whose Updates were sent with the id of the status. */
export async function cancelFormerNoteUpdates(tx: Tx, { uri, note }: { uri: string; note: string }): Promise<void> {
  await cancelUpdatesOfStatus(tx.db, { uri, former: `${note}#updates/` })
}

const cancel = statement<{ params: { uri: string } }>(
  `delete from deliveries d using sent_activities a where a.uri = $uri and d.activity_id = a.id and d.state = 'pending'`,
)

/** Cancels the pending deliveries of an activity that an Undo or a Remove undoes. */
export async function cancelUndone(tx: Tx, { uri }: { uri: string }): Promise<void> {
  await cancel(tx.db, { uri })
}

// The ids of the Undos of follows and blocks and of the Rejects of follows. An index has this condition, because a host
// that is unavailable may have a hundred thousand other pending deliveries.
const IS_ENDING = `(former.uri like '%#follows/%/undo' or former.uri like '%#blocks/%/undo'
  or former.uri like '%#rejects/follows/%')`

// Servers apply an Undo or a Reject to the accounts that the embedded activity names, whatever the id of that is.
const cancelEndings = statement<{ params: { uris: readonly string[] } }>(
  `with pair as materialized (
     select d.id, former.body::jsonb as ending, newer.body::jsonb as beginning
     from sent_activities newer join deliveries n on n.activity_id = newer.id
       join sent_activities former on former.account_id = newer.account_id and ${IS_ENDING}
       join deliveries d on d.activity_id = former.id and d.state = 'pending' and d.inbox_url = n.inbox_url
         and d.created_at <= n.created_at
     where newer.uri = any($uris::text[])
   ), named as (
     select id, ending ->> 'type' as type, ending -> 'object' as ended, beginning ->> 'type' = 'Accept' as is_response,
       case beginning ->> 'type' when 'Accept' then beginning -> 'object' else beginning end as begun
     from pair
   )
   delete from deliveries where id in (
     select id from named
     where type = case when is_response then 'Reject' else 'Undo' end and ended -> 'type' = begun -> 'type'
       and ended -> 'actor' = begun -> 'actor' and ended -> 'object' = begun -> 'object')`,
)

/**
 * Cancels the pending Undos of former follows and blocks, or the pending Rejects of former follows, between accounts
 * that begin such a relationship again: by a Follow, a Block or an Accept, which were sent with the ids `uris`.
 */
export async function cancelEarlierUndos(tx: Tx, { uris }: { uris: readonly string[] }): Promise<void> {
  await cancelEndings(tx.db, { uris })
}

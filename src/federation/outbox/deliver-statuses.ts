import type { Ctx, Tx } from '../../domain/context.ts'
import type { DeletedStatus } from '../../domain/event-payloads.ts'
import { listRelayInboxes } from '../../domain/relays/subscriptions.ts'
import { statement } from '../../platform/db/statement.ts'
import { actorUri } from '../objects/uris.ts'
import { toDocument, writeCreate, writeDelete, writeUpdate } from '../objects/write/write-activities.ts'
import { writeNotes } from '../objects/write/write-notes.ts'
import type { NoteDocument } from '../objects/write/write-notes.ts'
import { writeStatusActivities } from '../objects/write/write-status-activities.ts'
import { cancelFormerNoteUpdates } from './cancel-superseded.ts'
import { sendActivities, sendActivity, cancelDeliveriesForStatus } from './send-activity.ts'
import type { ActivityRecipients } from './send-activity.ts'

/** A local status that may be federated. */
interface FederatedStatus {
  id: string
  account_id: string
  visibility: string
  edited_at: Date | null
  /** When staff restored it. */
  restored_at: Date | null
  /** The author of the parent, and whether the parent is local. */
  parent_author_id: string | null
  is_parent_local: boolean
}

const select = (condition: string) =>
  statement<{ params: { statusIds: readonly string[] }; row: FederatedStatus }>(
    `select s.id, s.account_id, s.visibility, s.edited_at, s.restored_at, p.account_id as parent_author_id,
       coalesce(p.local, false) as is_parent_local
     from statuses s join accounts author on author.id = s.account_id and author.suspended_at is null
       left join statuses p on p.id = s.in_reply_to_id
     where s.id = any($statusIds::bigint[]) and s.local and not s.local_only and s.reblog_of_id is null
       and s.deleted_at is null ${condition}`,
  )

// With `offset 0`, each of these conditions is one index lookup for a status; otherwise the planner may choose to scan a
// whole table.
const isRemote = (id: string) => `exists (select from accounts a where a.id = ${id} and a.domain is not null offset 0)`
const hasRemote = (table: string, column: string) =>
  `exists (select from ${table} t join accounts a on a.id = t.account_id
     where t.${column} = s.id and a.domain is not null offset 0)`
const hasRemoteFollowers = (id: string) =>
  `exists (select from follows f join accounts a on a.id = f.account_id
     where f.target_account_id = ${id} and a.domain is not null offset 0)`

const HAS_REMOTE_RECIPIENTS = `${hasRemoteFollowers('s.account_id')} or ${isRemote('p.account_id')}
  or ${hasRemoteFollowers('p.account_id')} or ${hasRemote('mentions', 'status_id')}`
const HAS_REMOTE_INTERACTIONS = `${hasRemote('favourites', 'status_id')} or ${hasRemote('statuses', 'in_reply_to_id')}
  or ${hasRemote('statuses', 'reblog_of_id')} or ${hasRemote('quotes', 'quoted_status_id')}
  or exists (select from polls poll join poll_votes v on v.poll_id = poll.id join accounts a on a.id = v.account_id
    where poll.status_id = s.id and a.domain is not null offset 0)`

const IS_RELAYED = `s.visibility = 'public' and exists (select from relays where state = 'accepted')`

// Most statuses of a small server have no remote recipients; for these, this one query is all that runs.
const findNew = select(`and (${IS_RELAYED} or ${HAS_REMOTE_RECIPIENTS})`)
const findEdited = select(`and (${IS_RELAYED} or ${HAS_REMOTE_RECIPIENTS} or ${HAS_REMOTE_INTERACTIONS})`)
// If a status was deleted in the meantime, nothing about it must follow its Delete.
const lockStatuses = select('order by s.id for key share of s')

const isPubliclyVisible = (visibility: string): boolean => visibility === 'public' || visibility === 'unlisted'

/**
 * Returns the recipients of a status: the mentioned accounts and, unless it is direct, the author's followers. A public
 * or unlisted reply also goes to the author of its parent and, if the parent is local, to that author's followers. A
 * public status also goes to the relays, by their inboxes.
 */
function recipientsOf(
  { id, account_id, visibility, parent_author_id, is_parent_local }: FederatedStatus,
  relays: readonly string[],
): ActivityRecipients {
  const isPublic = isPubliclyVisible(visibility)
  return {
    followersOf: [
      ...(visibility === 'direct' ? [] : [account_id]),
      ...(isPublic && is_parent_local && parent_author_id !== null ? [parent_author_id] : []),
    ],
    accountIds: isPublic && parent_author_id !== null ? [parent_author_id] : [],
    mentionedIn: id,
    inboxes: visibility === 'public' ? relays : [],
  }
}

/** Effect: sends the Creates of new statuses to their recipients. */
export async function deliverCreates(ctx: Ctx, payloads: readonly { statusId: string }[]): Promise<void> {
  const found = await findNew(ctx.db, { statusIds: payloads.map(({ statusId }) => statusId) })
  if (found.length === 0) return
  await ctx.write(async (tx) => {
    const statuses = await lockStatuses(tx.db, { statusIds: found.map(({ id }) => id) })
    const written = await writeStatusActivities(tx, { ids: statuses.map(({ id }) => id), now: tx.now })
    const relays = await listRelayInboxes(tx)
    const activities = statuses.flatMap((status) => {
      const { id: statusId, account_id: accountId } = status
      const activity = written.get(statusId)
      return activity ? [{ activity, accountId, statusId, to: recipientsOf(status, relays) }] : []
    })
    await sendActivities(tx, { activities })
  })
}

/** Returns a local status that may be federated, locked so that its Delete follows what the caller sends; else null. */
export async function lockStatus(tx: Tx, { statusId }: { statusId: string }): Promise<FederatedStatus | null> {
  const [status] = await lockStatuses(tx.db, { statusIds: [statusId] })
  return status ?? null
}

/**
 * Returns the recipients of an Update: those of the status and, if it is public, the accounts that interacted with it.
 */
export async function findUpdateRecipients(tx: Tx, status: FederatedStatus): Promise<ActivityRecipients> {
  const relays = await listRelayInboxes(tx)
  return { ...recipientsOf(status, relays), ...(isPubliclyVisible(status.visibility) && { interactedWith: status.id }) }
}

/** Sends the Update of a note or a poll. `at`: the time of the change. */
export async function sendNoteUpdate(
  tx: Tx,
  { note, at, statusId, to }: { note: NoteDocument; at: Date; statusId: string; to: ActivityRecipients },
): Promise<void> {
  const activity = writeUpdate(tx.config, { note, at })
  await sendActivity(tx, { activity, accountId: note.accountId, statusId, to })
  await cancelFormerNoteUpdates(tx, { uri: activity.uri, note: note.uri })
}

const replacePending = statement<{ params: { uri: string; body: string } }>(
  `update sent_activities a set body = $body
   where a.uri = $uri and exists (select from deliveries d where d.activity_id = a.id and d.state = 'pending')`,
)

/** Effect: sends the Update of an edited status. A Create that is still pending gets the present text, too. */
export async function deliverUpdate(
  ctx: Ctx,
  { statusId, formerVoterIds = [] }: { statusId: string; formerVoterIds?: readonly string[] },
): Promise<void> {
  if (formerVoterIds.length === 0 && (await findEdited(ctx.db, { statusIds: [statusId] })).length === 0) return
  await ctx.write(async (tx) => {
    const status = await lockStatus(tx, { statusId })
    const note = status && (await writeNotes(tx, { ids: [statusId], now: tx.now })).get(statusId)
    if (!status || !note?.editedAt) return
    // A server that was down may get the Create after the Update, and would keep the former text.
    const create = writeCreate(tx.config, { note })
    await replacePending(tx.db, { uri: create.uri, body: toDocument(create) })
    const to = await findUpdateRecipients(tx, status)
    await sendNoteUpdate(tx, {
      note,
      at: note.editedAt,
      statusId,
      to: isPubliclyVisible(status.visibility)
        ? { ...to, accountIds: [...(to.accountIds ?? []), ...formerVoterIds] }
        : to,
    })
  })
}

/**
 * Effect: sends a Create of a status that staff restored, under a new id, and cancels pending deliveries about it, such
 * as its Delete. A server that stores the status still, or refuses it after its Delete, ignores the Create.
 */
export async function deliverRestoration(ctx: Ctx, { statusId }: { statusId: string }): Promise<void> {
  await ctx.write(async (tx) => {
    const status = await lockStatus(tx, { statusId })
    const note = status && (await writeNotes(tx, { ids: [statusId], now: tx.now })).get(statusId)
    if (!status?.restored_at || !note) return
    await cancelDeliveriesForStatus(tx, { statusId })
    const activity = writeCreate(tx.config, { note, restoredAt: status.restored_at })
    const to = recipientsOf(status, await listRelayInboxes(tx))
    await sendActivity(tx, { activity, accountId: status.account_id, statusId, to })
  })
}

// Also locks a hidden status, so that its restoration waits.
const lockState = statement<{ params: { statusId: string }; row: { is_live: boolean } }>(
  `select deleted_at is null as is_live from statuses where id = $statusId for key share`,
)

/**
 * Effect: sends the Delete of a status to all its recipients, and cancels pending deliveries about it. Does nothing if
 * staff restored the status meanwhile.
 */
export async function deliverDelete(ctx: Ctx, deleted: DeletedStatus): Promise<void> {
  const { statusId, accountId, uri, local, localOnly, restoredAt, visibility, recipientIds, parentAuthorId } = deleted
  if (!local || localOnly) return
  await ctx.write(async (tx) => {
    const [state] = await lockState(tx.db, { statusId })
    if (state?.is_live) return
    await cancelDeliveriesForStatus(tx, { statusId })
    await sendActivity(tx, {
      activity: writeDelete({ actor: actorUri(tx.config, accountId), uri, restoredAt }),
      accountId,
      statusId,
      to: {
        followersOf: [
          ...(visibility === 'direct' ? [] : [accountId]),
          ...(parentAuthorId === undefined ? [] : [parentAuthorId]),
        ],
        accountIds: recipientIds,
        inboxes: visibility === 'public' ? await listRelayInboxes(tx) : [],
      },
    })
  })
}

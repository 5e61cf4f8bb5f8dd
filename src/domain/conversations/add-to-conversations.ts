import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../access/usable-account.ts'
import type { Ctx, Tx } from '../context.ts'
import type { ConversationChange } from '../event-payloads.ts'
import { publishMessage } from '../core/stream-topics.ts'
import { visibleTo } from '../access/visibility.ts'
import { isVisibleConversation } from '../access/is-visible-conversation.ts'

/** SQL condition: conversations contain the status `s`. */
const IS_IN_CONVERSATIONS = `s.visibility = 'direct' and s.reblog_of_id is null and s.deleted_at is null
  and s.conversation_id is not null`

// The lock prevents that the statuses are deleted or moved to another conversation in the meantime.
const lockStatuses = statement<{
  params: { statusIds: readonly string[] }
  row: { id: string; conversation_id: string }
  notNull: 'conversation_id'
}>(
  `select s.id, s.conversation_id from statuses s
   where s.id = any($statusIds::bigint[]) and ${IS_IN_CONVERSATIONS} order by s.id for share`,
)
// Only one transaction at a time adds statuses to a conversation, or removes them from it.
const lockConversations = statement<{ params: { ids: readonly string[] } }>(
  `select from conversations where id = any($ids::bigint[]) order by id for no key update`,
)

// Selects the local participants of the statuses, each with the other participants. `$newParticipantIds` is null or the
// accounts that were added by an edit. Of the other accounts only those are selected that still have the status in a
// conversation, so that it does not return to accounts that removed their conversation.
const PARTICIPATIONS = `participations as (
  select s.id as status_id, s.conversation_id, participant.id as account_id, others.ids as participant_ids,
    sha256(array_to_string(others.ids, ',')::bytea) as participants_digest, s.account_id = participant.id as is_own,
    exists (select from conversation_mutes muted
      where muted.account_id = participant.id and muted.conversation_id = s.conversation_id) as is_muted
  from statuses s, lateral (
      select s.account_id as id union select m.account_id from mentions m where m.status_id = s.id and not m.silent
    ) part
    join accounts participant on participant.id = part.id join users u on u.account_id = participant.id, lateral (
      select array(
        select s.account_id where s.account_id <> participant.id
        union select m.account_id from mentions m
        where m.status_id = s.id and not m.silent and m.account_id <> participant.id
        order by 1) as ids
    ) others
  where s.id = any($ids::bigint[]) and ($newParticipantIds::bigint[] is null or participant.id = any($newParticipantIds) or exists (
      select from account_conversation_statuses e join account_conversations c on c.id = e.account_conversation_id
      where e.status_id = s.id and c.account_id = participant.id))
    and ${usableAccount('participant')} and ${visibleTo('participant.id')}
    and ${isVisibleConversation('participant.id', 'others.ids')})`

interface AddedStatus {
  id: string
  account_id: string
  status_id: string
  is_own: boolean
  is_muted: boolean
}

const insertEntries = statement<{
  params: { ids: readonly string[]; newParticipantIds: readonly string[] | null }
  row: AddedStatus
}>(
  `with ${PARTICIPATIONS}, conversation as (
     insert into account_conversations (account_id, conversation_id, participant_ids, participants_digest, last_status_id)
     select account_id, conversation_id, participant_ids, participants_digest, max(status_id) from participations
     group by account_id, conversation_id, participant_ids, participants_digest order by account_id, conversation_id
     on conflict (account_id, conversation_id, participants_digest) do update
       set last_status_id = greatest(account_conversations.last_status_id, excluded.last_status_id)
     returning id, account_id, conversation_id, participants_digest
   ), added as (
     insert into account_conversation_statuses (account_conversation_id, status_id)
     select c.id, p.status_id from participations p join conversation c using (account_id, conversation_id, participants_digest)
     on conflict do nothing returning account_conversation_id as id, status_id
   )
   select a.id, p.account_id, a.status_id, p.is_own, p.is_muted
   from added a join conversation c on c.id = a.id
     join participations p on p.account_id = c.account_id and p.status_id = a.status_id
   order by a.status_id`,
)

interface MovedEntry {
  account_id: string
  status_id: string
  unread: boolean
}

const removeMovedEntries = statement<{
  params: { ids: readonly string[]; newParticipantIds: readonly string[] | null }
  row: MovedEntry
}>(
  `with ${PARTICIPATIONS}
   delete from account_conversation_statuses e using account_conversations c, participations p
   where e.status_id = any($ids::bigint[]) and c.id = e.account_conversation_id
     and p.account_id = c.account_id and p.status_id = e.status_id
     and (p.conversation_id, p.participants_digest) is distinct from (c.conversation_id, c.participants_digest)
   returning c.account_id, e.status_id, c.unread`,
)

const updateUnread = statement<{ params: { conversationIds: readonly string[]; unread: readonly boolean[] } }>(
  `update account_conversations c set unread = changed.unread from unnest($conversationIds::bigint[], $unread::boolean[]) changed (id,
    unread)
   where c.id = changed.id and c.unread <> changed.unread`,
)

/**
 * Adds direct statuses to the conversations of their local participants, and ignores other statuses. An account has one
 * conversation per thread and set of participants. Statuses that are already in the right conversation do not change;
 * statuses that belong to another conversation now are moved. A status of another account marks the conversation as
 * unread, unless the thread is muted; a status of the account itself marks it as read.
 *
 * `newParticipantIds` is given for statuses that were added before: only these accounts, and accounts that still have
 * the status in a conversation, get it.
 */
export async function assignToConversations(
  tx: Tx,
  {
    statusIds,
    newParticipantIds = null,
  }: { statusIds: readonly string[]; newParticipantIds?: readonly string[] | null },
): Promise<ConversationChange[]> {
  const locked = await lockStatuses(tx.db, { statusIds })
  if (locked.length === 0) return []
  const ids = locked.map((row) => row.id)
  await lockConversations(tx.db, { ids: [...new Set(locked.map((row) => row.conversation_id))] })
  const added = await insertEntries(tx.db, { ids, newParticipantIds })
  const moved = await removeMovedEntries(tx.db, { ids, newParticipantIds })
  const wasRead = new Set(moved.filter((row) => !row.unread).map((row) => `${row.account_id} ${row.status_id}`))
  const marks = new Map<string, boolean>()
  for (const { id, account_id, status_id, is_own, is_muted: isMuted } of added) {
    if (is_own) marks.set(id, false)
    else if (!isMuted && !wasRead.has(`${account_id} ${status_id}`)) marks.set(id, true)
  }
  if (marks.size > 0) await updateUnread(tx.db, { conversationIds: [...marks.keys()], unread: [...marks.values()] })
  return [...new Map(added.map(({ id, account_id }) => [id, { id, accountId: account_id }])).values()]
}

// Most statuses are not direct; for these, this one query is all that runs.
const findDirect = statement<{ params: { statusIds: readonly string[] }; row: { id: string } }>(
  `select s.id from statuses s where s.id = any($statusIds::bigint[]) and ${IS_IN_CONVERSATIONS}`,
)
// Includes conversations that an earlier run of the effect changed, because its events may not have been published.
const findAffectedConversations = statement<{
  params: {
    statusIds: readonly string[]
    newParticipantIds: readonly string[] | null
    changedIds: readonly string[]
  }
  row: { id: string; account_id: string }
}>(
  `select c.id, c.account_id from account_conversations c
   where c.id in (
     select e.account_conversation_id from account_conversation_statuses e
       join account_conversations own on own.id = e.account_conversation_id
     where e.status_id = any($statusIds::bigint[])
       and ($newParticipantIds::bigint[] is null or own.account_id = any($newParticipantIds))
     union all select unnest($changedIds::bigint[]))`,
)

/**
 * Effect: adds new or edited direct statuses to the conversations of their participants, and publishes these to
 * streams. `newlyMentionedIds`: after an edit.
 */
export async function addStatusesToConversations(
  ctx: Ctx,
  payloads: readonly { statusId: string; newlyMentionedIds?: readonly string[] }[],
): Promise<void> {
  const direct = await findDirect(ctx.db, { statusIds: payloads.map(({ statusId }) => statusId) })
  if (direct.length === 0) return
  const isDirect = new Set(direct.map(({ id }) => id))
  const created = payloads.filter(({ statusId, newlyMentionedIds }) => isDirect.has(statusId) && !newlyMentionedIds)
  await addStatuses(ctx, { statusIds: created.map(({ statusId }) => statusId), newParticipantIds: null })
  // Direct statuses are edited rarely, and each of them has its own new participants.
  for (const { statusId, newlyMentionedIds } of payloads) {
    if (isDirect.has(statusId) && newlyMentionedIds)
      await addStatuses(ctx, { statusIds: [statusId], newParticipantIds: newlyMentionedIds })
  }
}

async function addStatuses(
  ctx: Ctx,
  { statusIds, newParticipantIds }: { statusIds: readonly string[]; newParticipantIds: readonly string[] | null },
): Promise<void> {
  if (statusIds.length === 0) return
  const affected = await ctx.write(async (tx) => {
    const changed = await assignToConversations(tx, { statusIds, newParticipantIds })
    return findAffectedConversations(tx.db, { statusIds, newParticipantIds, changedIds: changed.map(({ id }) => id) })
  })
  await Promise.all(
    affected.map(async ({ id, account_id: accountId }) =>
      publishMessage(ctx.bus, 'stream.conversation', { conversationId: id, accountId }),
    ),
  )
}

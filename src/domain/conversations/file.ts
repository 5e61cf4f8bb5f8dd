import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Ctx, Tx } from '../context.ts'
import { tell } from '../stream-news.ts'
import { visibleTo } from '../statuses/visibility.ts'
import { isWantedTalk } from './wanted.ts'

// Nobody moves them to another thread, or deletes them, before they are filed.
const hold = statement<{
  params: { statusIds: readonly string[] }
  row: { id: string; conversation_id: string }
  notNull: 'conversation_id'
}>(
  `select id, conversation_id from statuses
   where id = any($statusIds::bigint[]) and visibility = 'direct' and reblog_of_id is null and deleted_at is null
     and conversation_id is not null
   order by id for share`,
)
// One at a time files into a thread, or takes away from it.
const holdThreads = statement<{ params: { ids: readonly string[] } }>(
  `select from conversations where id = any($ids::bigint[]) order by id for no key update`,
)

// The local participants of the statuses, each with the other participants. `$newcomerIds`: null, or the accounts that
// participate only now; of the others only those that still have the status, so that it does not return to accounts that
// removed it.
const PARTS = `parts as (
  select s.id as status_id, s.conversation_id, person.id as account_id, others.ids as participant_ids,
    sha256(array_to_string(others.ids, ',')::bytea) as participants_digest, s.account_id = person.id as is_own,
    exists (select from conversation_mutes quiet
      where quiet.account_id = person.id and quiet.conversation_id = s.conversation_id) as is_quiet
  from statuses s, lateral (
      select s.account_id as id union select m.account_id from mentions m where m.status_id = s.id and not m.silent
    ) part
    join accounts person on person.id = part.id join users u on u.account_id = person.id, lateral (
      select array(
        select s.account_id where s.account_id <> person.id
        union select m.account_id from mentions m
        where m.status_id = s.id and not m.silent and m.account_id <> person.id
        order by 1) as ids
    ) others
  where s.id = any($ids::bigint[]) and ($newcomerIds::bigint[] is null or person.id = any($newcomerIds) or exists (
      select from account_conversation_statuses e join account_conversations c on c.id = e.account_conversation_id
      where e.status_id = s.id and c.account_id = person.id))
    and ${usableAccount('person')} and ${visibleTo('person.id')}
    and ${isWantedTalk('person.id', 'others.ids')})`

interface Filed {
  id: string
  account_id: string
  status_id: string
  is_own: boolean
  is_quiet: boolean
}

const file = statement<{ params: { ids: readonly string[]; newcomerIds: readonly string[] | null }; row: Filed }>(
  `with ${PARTS}, conversation as (
     insert into account_conversations (account_id, conversation_id, participant_ids, participants_digest, last_status_id)
     select account_id, conversation_id, participant_ids, participants_digest, max(status_id) from parts
     group by account_id, conversation_id, participant_ids, participants_digest order by account_id, conversation_id
     on conflict (account_id, conversation_id, participants_digest) do update
       set last_status_id = greatest(account_conversations.last_status_id, excluded.last_status_id)
     returning id, account_id, conversation_id, participants_digest
   ), added as (
     insert into account_conversation_statuses (account_conversation_id, status_id)
     select c.id, p.status_id from parts p join conversation c using (account_id, conversation_id, participants_digest)
     on conflict do nothing returning account_conversation_id as id, status_id
   )
   select a.id, p.account_id, a.status_id, p.is_own, p.is_quiet
   from added a join conversation c on c.id = a.id
     join parts p on p.account_id = c.account_id and p.status_id = a.status_id
   order by a.status_id`,
)

interface Moved {
  account_id: string
  status_id: string
  unread: boolean
}

const removeMisfiled = statement<{
  params: { ids: readonly string[]; newcomerIds: readonly string[] | null }
  row: Moved
}>(
  `with ${PARTS}
   delete from account_conversation_statuses e using account_conversations c, parts p
   where e.status_id = any($ids::bigint[]) and c.id = e.account_conversation_id
     and p.account_id = c.account_id and p.status_id = e.status_id
     and (p.conversation_id, p.participants_digest) is distinct from (c.conversation_id, c.participants_digest)
   returning c.account_id, e.status_id, c.unread`,
)

const mark = statement<{ params: { conversationIds: readonly string[]; unread: readonly boolean[] } }>(
  `update account_conversations c set unread = news.unread from unnest($conversationIds::bigint[], $unread::boolean[]) news (id,
    unread)
   where c.id = news.id and c.unread <> news.unread`,
)

/** What somebody has of a talk, which got something new. */
interface Change {
  /** Of their conversation. */
  id: string
  accountId: string
}

/**
 * Puts direct statuses into the conversations of those here who take part in them: by the thread, and by who takes part.
 * What is there already stays as it is, and what belongs elsewhere by now is moved. What others write makes it unread,
 * unless its thread is muted; what one writes oneself makes it read. Statuses of other kinds are passed over.
 *
 * `newcomerIds`: of statuses that were filed before, only these people, and those who have them still, get them.
 */
export async function fileStatuses(
  tx: Tx,
  { statusIds, newcomerIds = null }: { statusIds: readonly string[]; newcomerIds?: readonly string[] | null },
): Promise<Change[]> {
  const held = await hold(tx.db, { statusIds })
  if (held.length === 0) return []
  const ids = held.map((row) => row.id)
  await holdThreads(tx.db, { ids: [...new Set(held.map((row) => row.conversation_id))] })
  const filed = await file(tx.db, { ids, newcomerIds })
  const moved = await removeMisfiled(tx.db, { ids, newcomerIds })
  const wasRead = new Set(moved.filter((row) => !row.unread).map((row) => `${row.account_id} ${row.status_id}`))
  const marks = new Map<string, boolean>()
  for (const { id, account_id, status_id, is_own, is_quiet } of filed) {
    if (is_own) marks.set(id, false)
    else if (!is_quiet && !wasRead.has(`${account_id} ${status_id}`)) marks.set(id, true)
  }
  if (marks.size > 0) await mark(tx.db, { conversationIds: [...marks.keys()], unread: [...marks.values()] })
  return [...new Map(filed.map(({ id, account_id }) => [id, { id, accountId: account_id }])).values()]
}

// Also those for whom an earlier run did it, of which nobody may have been told.
const findReached = statement<{
  params: { statusId: string; newcomerIds: readonly string[] | null; changedIds: readonly string[] }
  row: { id: string; account_id: string }
}>(
  `select c.id, c.account_id from account_conversation_statuses e
     join account_conversations c on c.id = e.account_conversation_id
   where e.status_id = $statusId and ($newcomerIds::bigint[] is null or c.account_id = any($newcomerIds))
     or c.id = any($changedIds::bigint[])`,
)

/** Effect: puts a direct status, new or edited, into the conversations that it is part of, and tells the streams. */
export async function addToConversations(
  ctx: Ctx,
  { statusId, newlyMentionedIds }: { statusId: string; newlyMentionedIds?: string[] },
): Promise<void> {
  const newcomerIds = newlyMentionedIds ?? null
  const reached = await ctx.write(async (tx) => {
    const changed = await fileStatuses(tx, { statusIds: [statusId], newcomerIds })
    return findReached(tx.db, { statusId, newcomerIds, changedIds: changed.map(({ id }) => id) })
  })
  await Promise.all(
    reached.map(async ({ id, account_id: accountId }) =>
      tell(ctx.bus, 'stream.conversation', { conversationId: id, accountId }),
    ),
  )
}

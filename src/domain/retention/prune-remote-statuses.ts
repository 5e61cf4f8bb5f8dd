import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { deleteOutgoingQuotes } from '../quotes/detach-quotes.ts'
import { uncountStatuses } from '../statuses/counters/uncount-statuses.ts'
import { BATCH_SIZE, pruneBefore } from './prune-step.ts'
import type { PruneInput, PruneResult } from './prune-step.ts'

/** Status ids are milliseconds, shifted by these bits, and a sequence number. */
const SEQUENCE_BITS = 16n

const isLocal = (account: string) => `exists (select from accounts a where a.id = ${account} and a.domain is null)`

/**
 * An SQL condition: whether the status `s` is retained because of local accounts. Each part reads an index by the
 * status, its author or its conversation; the arrays are computed once per statement, from tables with few rows.
 */
const IS_RETAINED = `(
  exists (select from follows f where f.target_account_id = s.account_id and ${isLocal('f.account_id')})
  or exists (select from favourites f where f.status_id = s.id and ${isLocal('f.account_id')})
  or exists (select from bookmarks b where b.status_id = s.id)
  or exists (select from status_pins p where p.status_id = s.id)
  or exists (select from mentions m where m.status_id = s.id and ${isLocal('m.account_id')})
  or exists (select from account_conversation_statuses c where c.status_id = s.id)
  or exists (select from filter_statuses f where f.status_id = s.id)
  or exists (select from polls p join poll_votes v on v.poll_id = p.id
    where p.status_id = s.id and ${isLocal('v.account_id')})
  or exists (select from statuses o where o.id = s.reblog_of_id and o.local)
  or exists (select from quotes q join statuses o on o.id = q.quoted_status_id where q.status_id = s.id and o.local)
  or exists (select from reports r where r.target_account_id = s.account_id and r.action_taken_at is null
    and s.id = any(r.status_ids))
  or s.id = any(array(select (n.params ->> 'inReplyToId')::bigint from scheduled_statuses n))
  or s.id = any(array(select unnest(n.status_ids) from announcements n))
  or exists (select from conversations c where c.id = s.conversation_id and c.created_at >= $before)
  or coalesce(s.conversation_id in (select l.conversation_id from statuses l
    where l.conversation_id = any(array(select b.conversation_id from statuses b where b.id = any($ids::bigint[])))
      and l.local), false))`

const scan = statement<{ params: { below: string }; row: { last: string | null; ids: string[] } }>(
  `with scanned as (select id, local, deleted_at from statuses where id < $below order by id desc limit ${BATCH_SIZE})
   select case when count(*) = ${BATCH_SIZE} then min(id) end as last,
     coalesce(array_agg(id order by id desc) filter (where not local and deleted_at is null), '{}') as ids
   from scanned`,
)
const findUnretained = statement<{
  params: { ids: readonly string[]; before: Date }
  row: { id: string; dependents: string[] }
}>(
  `select s.id, array(select r.id from statuses r where r.in_reply_to_id = s.id limit ${BATCH_SIZE})
     || array(select r.id from statuses r where r.reblog_of_id = s.id limit ${BATCH_SIZE})
     || array(select q.status_id from quotes q where q.quoted_status_id = s.id limit ${BATCH_SIZE}) as dependents
   from statuses s
   where s.id = any($ids::bigint[]) and not s.local and s.deleted_at is null and s.created_at < $before
     and not ${IS_RETAINED}
   order by s.id desc`,
)
const lockUnused = statement<{ params: { ids: readonly string[] }; row: { id: string } }>(
  `select id from statuses where id = any($ids::bigint[]) order by id for update skip locked`,
)
const findReferences = statement<{
  params: { ids: readonly string[] }
  row: { counted: string | null; conversation_id: string | null }
}>(
  `select distinct coalesce(reblog_of_id, in_reply_to_id) as counted, conversation_id
   from statuses where id = any($ids::bigint[])`,
)
const removeMedia = statement<{
  params: { ids: readonly string[] }
  row: { file_key: string | null; preview_key: string | null }
}>(`delete from media_attachments where status_id = any($ids::bigint[]) returning file_key, preview_key`)
const remove = statement<{ params: { ids: readonly string[] } }>(`delete from statuses where id = any($ids::bigint[])`)
const lockConversations = statement<{ params: { ids: readonly string[] }; row: { id: string } }>(
  `select id from conversations where id = any($ids::bigint[]) order by id for update skip locked`,
)
const removeEmptyConversations = statement<{ params: { ids: readonly string[] } }>(
  `delete from conversations c where c.id = any($ids::bigint[])
     and not exists (select from statuses s where s.conversation_id = c.id)
     and not exists (select from account_conversations a where a.conversation_id = c.id)
     and not exists (select from conversation_mutes m where m.conversation_id = c.id)`,
)

/**
 * Prunes remote statuses and reblogs in which no local account takes part, latest first: a status is retained while
 * another one replies to it, reblogs or quotes it, and those are later, so one pass prunes whole threads. No tombstone is
 * recorded, because a pruned status may be fetched again, and neither streams nor other servers are notified.
 */
export async function pruneRemoteStatuses(ctx: Ctx, { cursor, policy, now, dryRun }: PruneInput): Promise<PruneResult> {
  const before = pruneBefore(now, policy.remoteStatusesDays)
  const below = cursor ?? String(BigInt(before.getTime()) << SEQUENCE_BITS)
  const [scanned] = await scan(ctx.db, { below })
  const { ids, last } = scanned!
  const found = ids.length === 0 ? [] : selectUnused(await findUnretained(ctx.db, { ids, before }), dryRun ?? new Set())
  if (dryRun !== null || found.length === 0) return { cursor: last, count: found.length }
  return { cursor: last, count: await ctx.write((tx) => removeUnused(tx, { ids: found, before })) }
}

/** Returns the ids of the statuses whose dependents are pruned with them or have been pruned, and adds them to `pruned`. */
function selectUnused(rows: readonly { id: string; dependents: string[] }[], pruned: Set<string>): string[] {
  const ids: string[] = []
  for (const { id, dependents } of rows) {
    if (!dependents.every((dependent) => pruned.has(dependent))) continue
    pruned.add(id)
    ids.push(id)
  }
  return ids
}

/**
 * Locks the statuses and deletes those that are still unused. An interaction with a status locks it, too: a status
 * that is locked already is skipped, and an interaction that was committed before the lock is found after it.
 */
async function removeUnused(tx: Tx, { ids, before }: { ids: readonly string[]; before: Date }): Promise<number> {
  const locked = (await lockUnused(tx.db, { ids })).map((row) => row.id)
  const unused = selectUnused(await findUnretained(tx.db, { ids: locked, before }), new Set())
  if (unused.length === 0) return 0
  const references = await findReferences(tx.db, { ids: unused })
  await deleteOutgoingQuotes(tx, { statusIds: unused, countedIds: references.flatMap((row) => row.counted ?? []) })
  await uncountStatuses(tx, { ids: unused })
  const media = await removeMedia(tx.db, { ids: unused })
  const mediaKeys = media.flatMap((file) => [file.file_key, file.preview_key]).filter((key) => key !== null)
  if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
  await remove(tx.db, { ids: unused })
  const conversations = await lockConversations(tx.db, {
    ids: [...new Set(references.flatMap((row) => row.conversation_id ?? []))],
  })
  await removeEmptyConversations(tx.db, { ids: conversations.map((row) => row.id) })
  return unused.length
}

import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { BATCH_SIZE, pruneBefore } from './prune-step.ts'
import type { PruneInput, PruneResult } from './prune-step.ts'

interface Periods {
  /** null: never. */
  remoteBefore: Date | null
  localBefore: Date | null
}

const IS_OLD = `s.edited_at < case when s.local then $localBefore::timestamptz else $remoteBefore::timestamptz end
  and not exists (select from reports r where r.target_account_id = s.account_id and r.action_taken_at is null
    and s.id = any(r.status_ids))`

const scan = statement<{
  params: Periods & { after: string }
  row: { last: string | null; ids: string[]; status_ids: string[] }
}>(
  `with scanned as (select id, status_id from status_edits where id > $after order by id limit ${BATCH_SIZE}),
     old as (select e.id, e.status_id from scanned e join statuses s on s.id = e.status_id where ${IS_OLD})
   select (select case when count(*) = ${BATCH_SIZE} then max(id) end from scanned) as last,
     coalesce(array_agg(id), '{}') as ids, coalesce(array_agg(distinct status_id), '{}') as status_ids
   from old`,
)
// A status that is being edited is left for the next pass.
const lockStatuses = statement<{ params: Periods & { statusIds: readonly string[] }; row: { id: string } }>(
  `select s.id from statuses s where s.id = any($statusIds::bigint[]) and ${IS_OLD}
   order by s.id for no key update skip locked`,
)
const remove = statement<{ params: { ids: readonly string[]; statusIds: readonly string[] }; row: { id: string } }>(
  `delete from status_edits where id = any($ids::bigint[]) and status_id = any($statusIds::bigint[]) returning id`,
)
const removeMedia = statement<{
  params: { statusIds: readonly string[] }
  row: { file_key: string | null; preview_key: string | null }
}>(
  `delete from media_attachments m
   where m.status_id = any($statusIds::bigint[]) and m.withdrawn_at is not null and not exists (
     select from status_edits e, jsonb_array_elements(e.media) item
     where e.status_id = m.status_id and item ->> 'id' = m.id::text)
   returning file_key, preview_key`,
)

/**
 * Prunes the earlier versions of statuses that have not been edited lately, with the attachments that only these
 * versions had. Statuses in unresolved reports retain their versions.
 */
export async function pruneStatusVersions(ctx: Ctx, { cursor, policy, now, dryRun }: PruneInput): Promise<PruneResult> {
  const { remoteVersionsDays, localVersionsDays } = policy
  const periods = {
    remoteBefore: remoteVersionsDays === 0 ? null : pruneBefore(now, remoteVersionsDays),
    localBefore: localVersionsDays === 0 ? null : pruneBefore(now, localVersionsDays),
  }
  const [scanned] = await scan(ctx.db, { ...periods, after: cursor ?? '0' })
  const { ids, last, status_ids: foundIds } = scanned!
  if (dryRun !== null || ids.length === 0) return { cursor: last, count: ids.length }
  const count = await ctx.write(async (tx) => {
    const statusIds = (await lockStatuses(tx.db, { ...periods, statusIds: foundIds })).map((row) => row.id)
    const removed = await remove(tx.db, { ids, statusIds })
    const media = await removeMedia(tx.db, { statusIds })
    const mediaKeys = media.flatMap((file) => [file.file_key, file.preview_key]).filter((key) => key !== null)
    if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
    return removed.length
  })
  return { cursor: last, count }
}

import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'

/** So many files are removed at once. */
const BATCH = 500

const findUnused = statement<{ params: { mediaKeys: readonly string[] }; row: { key: string } }>(
  `select key from unnest($mediaKeys::text[]) key
   where not exists (select from media_attachments where file_key = key)
     and not exists (select from media_attachments where preview_key = key)`,
)

/**
 * Effect: the files of a status that was deleted with its uploads, or of a picture that a profile shows no more. Their
 * rows are gone; what another row still shows stays until that one goes.
 */
export async function removeFiles(ctx: Ctx, { mediaKeys }: { mediaKeys: string[] }): Promise<void> {
  if (mediaKeys.length === 0) return
  const keys = (await findUnused(ctx.db, { mediaKeys })).map((row) => row.key)
  if (keys.length > 0) await ctx.storage.remove({ keys })
}

const findOrphans = statement<{
  params: { detachedAt: Date }
  row: { id: string; file_key: string | null; preview_key: string | null }
}>(
  `select id, file_key, preview_key from media_attachments
   where status_id is null and scheduled_status_id is null and detached_at < $detachedAt::timestamptz - interval '1 day' order by detached_at limit ${BATCH}`,
)
const removeRows = statement<{ params: { orphanIds: readonly string[] }; row: { id: string } }>(
  `delete from media_attachments where id = any($orphanIds::bigint[]) and status_id is null
    and scheduled_status_id is null returning id`,
)

/** Effect: uploads that no status has had for a day. A row goes first: a row without its file would be a broken picture. */
export async function removeOrphans(ctx: Ctx): Promise<void> {
  for (;;) {
    const orphans = await findOrphans(ctx.db, { detachedAt: ctx.now() })
    if (orphans.length === 0) return
    const gone = new Set(
      (await ctx.write((tx) => removeRows(tx.db, { orphanIds: orphans.map((one) => one.id) }))).map((row) => row.id),
    )
    const mediaKeys = orphans
      .filter((one) => gone.has(one.id))
      .flatMap((one) => [one.file_key, one.preview_key])
      .filter((key) => key !== null)
    await removeFiles(ctx, { mediaKeys })
    if (orphans.length < BATCH) return
  }
}

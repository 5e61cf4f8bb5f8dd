import { setTimeout as sleep } from 'node:timers/promises'
import { statement } from '../../platform/db/statement.ts'
import { PostponedError } from '../../platform/jobs/postponed-error.ts'
import type { Ctx } from '../context.ts'

/** How many uploads one step deletes. */
const BATCH_SIZE = 500

const findUnused = statement<{ params: { mediaKeys: readonly string[] }; row: { key: string } }>(
  `select key from unnest($mediaKeys::text[]) key
   where not exists (select from media_attachments where file_key = key)
     and not exists (select from media_attachments where preview_key = key)`,
)

/** How many deletions run in a process at most, so that deliveries do not wait for a slow storage. */
const MAX_RUNNING = 4

/** A deletion that takes longer shows that the storage is slow. Others wait as long for their turn. */
const SLOW_MS = 1_000

/** How long other deletions are postponed meanwhile. */
const RETRY_MS = 15_000

/** The running deletions of this process. `startedAt`: by `performance.now()`. */
const running = new Set<{ startedAt: number; end: Promise<void> }>()

/**
 * Effect: deletes files whose rows were deleted: uploads of deleted statuses, and replaced profile images. A file that
 * another media attachment still uses stays.
 * @throws PostponedError if several deletions wait for the storage already
 */
export async function removeFiles(ctx: Ctx, { mediaKeys }: { mediaKeys: string[] }): Promise<void> {
  const keys = (await findUnused(ctx.db, { mediaKeys })).map((row) => row.key)
  if (keys.length === 0) return
  const start = performance.now()
  while (running.size >= MAX_RUNNING) await waitForOthers(start)
  const work = ctx.storage.remove({ keys })
  const deletion = { startedAt: performance.now(), end: work.catch(() => {}) }
  running.add(deletion)
  try {
    await work
  } finally {
    running.delete(deletion)
  }
}

/** Waits until a running deletion has ended. `start`: of the wait. @throws PostponedError if that takes too long */
async function waitForOthers(start: number): Promise<void> {
  const longest = performance.now() - Math.min(start, ...[...running].map(({ startedAt }) => startedAt))
  if (longest > SLOW_MS)
    throw new PostponedError('the storage is slow', { delayMs: RETRY_MS * (0.8 + 0.2 * Math.random()) })
  await Promise.race([...[...running].map(({ end }) => end), sleep(SLOW_MS - longest + 1)])
}

const findOrphans = statement<{ params: { now: Date }; row: { id: string } }>(
  `select id from media_attachments
   where status_id is null and scheduled_status_id is null and detached_at < $now::timestamptz - interval '1 day' order by detached_at limit ${BATCH_SIZE}`,
)
const removeRows = statement<{
  params: { orphanIds: readonly string[] }
  row: { file_key: string | null; preview_key: string | null }
}>(
  `delete from media_attachments where id = any($orphanIds::bigint[]) and status_id is null
    and scheduled_status_id is null returning file_key, preview_key`,
)

/** Effect: deletes uploads that have belonged to no status for a day. */
export async function removeOrphans(ctx: Ctx): Promise<void> {
  for (;;) {
    const orphans = await findOrphans(ctx.db, { now: ctx.now() })
    if (orphans.length === 0) return
    await ctx.write(async (tx) => {
      const removed = await removeRows(tx.db, { orphanIds: orphans.map(({ id }) => id) })
      const mediaKeys = removed
        .flatMap(({ file_key, preview_key }) => [file_key, preview_key])
        .filter((key) => key !== null)
      if (mediaKeys.length > 0) tx.emit('media.removed', { mediaKeys })
    })
    if (orphans.length < BATCH_SIZE) return
  }
}

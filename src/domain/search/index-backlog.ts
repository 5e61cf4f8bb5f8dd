import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import { readSetting } from '../core/settings-store.ts'
import { indexStatuses } from './index-statuses.ts'

/**
 * The setting with the position of the backlog: statuses below this id are not indexed yet. Absent if all are indexed.
 */
const BACKLOG_SETTING = 'search:backlog'

const NEWEST = '9223372036854775807'

const BATCH_SIZE = 500

/** The maximum duration of one job. The clock starts the next one. */
const MAX_MS = 20_000

const findBelow = statement<{ params: { below: string }; row: { id: string; is_reblog: boolean } }>(
  `select id, reblog_of_id is not null as is_reblog from statuses where id < $below order by id desc limit ${BATCH_SIZE}`,
)
const advance = statement<{ params: { below: string; lowest: string } }>(
  `update settings set value = to_jsonb($lowest::text), updated_at = now() where name = '${BACKLOG_SETTING}'
    and value #>> '{}' = $below`,
)
const removePosition = statement<{ params: { below: string } }>(
  `delete from settings where name = '${BACKLOG_SETTING}' and value #>> '{}' = $below`,
)
const startPosition = statement<{ params: { newest: string } }>(
  `insert into settings (name, value) values ('${BACKLOG_SETTING}', to_jsonb($newest::text))
   on conflict (name) do update set value = excluded.value, updated_at = now()`,
)
const countProgress = statement<{ params: { below: string }; row: { done: string; all: string } }>(
  `select (select count(*) from statuses where id >= $below) as done, (select count(*) from statuses) as all`,
)

/** Effect: continues to index older statuses, for example those that were posted before the index existed. */
export async function indexBacklog(ctx: Ctx): Promise<void> {
  const stopAt = performance.now() + MAX_MS
  while (performance.now() < stopAt && (await indexBatch(ctx)) !== null);
}

/**
 * Starts to index all statuses again, by the hourly jobs or by `rebuildSearchIndex`. The existing entries can be
 * searched in the meantime.
 */
export async function startIndexRebuild(tx: Tx): Promise<void> {
  await startPosition(tx.db, { newest: NEWEST })
}

/** Returns the progress of the index as numbers of statuses; null if it is complete. */
export async function readIndexProgress(ctx: Ctx): Promise<{ done: number; all: number } | null> {
  const below = await readSetting<string>(ctx, { name: BACKLOG_SETTING })
  if (below === null) return null
  const [row] = await countProgress(ctx.db, { below })
  return { done: Number(row!.done), all: Number(row!.all) }
}

/**
 * Indexes the next batch of statuses, from newer to older ones, and stores the position. Returns the size of the batch;
 * null if nothing is left. Parallel calls index the same statuses twice, which does no harm.
 */
async function indexBatch(ctx: Ctx): Promise<number | null> {
  const below = await readSetting<string>(ctx, { name: BACKLOG_SETTING })
  if (below === null) return null
  const rows = await findBelow(ctx.db, { below })
  await indexStatuses(ctx, { ids: rows.filter((row) => !row.is_reblog).map((row) => row.id) })
  const lowest = rows.at(-1)?.id
  // If the rebuild was started again in between, the stored position differs from `below` and does not change.
  await ctx.write((tx) => (lowest === undefined ? removePosition(tx.db, { below }) : advance(tx.db, { below, lowest })))
  return lowest === undefined ? null : rows.length
}

/**
 * Indexes all statuses again for an administrator on the command line, and returns their number. If it is interrupted,
 * the hourly jobs continue. `onProgress` is called repeatedly with the completed fraction, from 0 to 1.
 */
export async function rebuildSearchIndex(
  ctx: Ctx,
  { onProgress }: { onProgress: (done: number, title: string) => void },
): Promise<number> {
  await ctx.write(async (tx) => {
    await startIndexRebuild(tx)
    const target = { targetType: 'search_index', targetId: null, label: 'search index' } as const
    await recordAuditEntry(tx, { by: null, action: 'rebuild', ...target })
  })
  const { all } = (await readIndexProgress(ctx)) ?? { all: 0 }
  let done = 0
  for (let size = await indexBatch(ctx); size !== null; size = await indexBatch(ctx)) {
    done += size
    // `done` may exceed `all`, because new statuses are posted in the meantime.
    onProgress(Math.min(1, done / all), 'Indexing posts for search')
  }
  return done
}

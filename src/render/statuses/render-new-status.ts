import { cacheStatusOutlines } from '../../domain/access/status-outlines.ts'
import type { OutlineRow } from '../../domain/access/status-outlines.ts'
import { viewerStateColumns } from '../../domain/access/viewer-states.ts'
import type { ViewerStateRow } from '../../domain/access/viewer-states.ts'
import type { CachedRead, Ctx } from '../../domain/context.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { NotFoundError } from '../../lib/errors.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { createBatch } from '../../platform/create-batch.ts'
import { statement } from '../../platform/db/statement.ts'
import { ACCOUNT_EMOJIS, cacheAccountCounters, COUNTER_COLUMNS } from '../accounts/account-records.ts'
import type { CounterColumns } from '../accounts/account-records.ts'
import type { EmojiRow } from '../emojis/render-emojis.ts'
import { renderStatuses } from './render-statuses.ts'
import { cacheStatusRecord, COMPLETE_COLUMNS, shownStatuses } from './status-records.ts'
import type { CompleteStatusRow } from './status-records.ts'

interface NewStatusRow extends CompleteStatusRow, OutlineRow, ViewerStateRow, CounterColumns {
  author_version: number
  author_emojis: EmojiRow[] | null
}

const select = statement<{ params: { statusIds: readonly string[] }; row: NewStatusRow }>(
  `select ${COMPLETE_COLUMNS}, shown.local_only, ${viewerStateColumns('shown.account_id')}, ${COUNTER_COLUMNS},
     a.version as author_version, ${ACCOUNT_EMOJIS} as author_emojis
   from ${shownStatuses('s.id = any($statusIds::bigint[])')}
     join accounts a on a.id = shown.account_id join account_stats st on st.account_id = a.id`,
)

/** How many new statuses are read with one statement at most. */
const MAX_BATCH = 32

const renderTogether = createBatch(async (ctx: Ctx, ids: readonly string[]) => ctx.read(renderNewStatuses, { ids }), {
  maxItems: MAX_BATCH,
})

/**
 * Returns a new status as its author sees it. Those that are rendered at the same time share one check for
 * invalidations and one statement. @throws NotFoundError
 */
export async function renderNewStatus(ctx: Ctx, { id }: { id: string }): Promise<EntityJson<Status>> {
  const status = await renderTogether(ctx, id)
  if (status === null) throw new NotFoundError()
  return status
}

/** No cache contains these statuses yet: one statement reads for the caches what would otherwise take four. */
async function renderNewStatuses(
  read: CachedRead,
  { ids }: { ids: readonly string[] },
): Promise<(EntityJson<Status> | null)[]> {
  const since = read.invalidations.epoch
  const rows = await select(read.db, { statusIds: ids })
  cacheStatusOutlines(read, { rows, since })
  for (const row of rows) {
    const { account_id: authorId, author_version: version, author_emojis: emojis } = row
    cacheStatusRecord(read, { row, since })
    cacheAccountCounters(read, { row: { ...row, id: authorId, version, emojis }, since })
  }
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  return Promise.all(
    ids.map(async (id) => {
      const row = rowsById.get(id)
      if (row === undefined) return null
      const [status] = await renderStatuses(read, { ids: [id], viewerId: row.account_id, known: new Map([[id, row]]) })
      return status ?? null
    }),
  )
}

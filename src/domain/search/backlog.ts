import { statement } from '../../platform/db/statement.ts'
import type { Ctx } from '../context.ts'
import { readSetting } from '../settings.ts'
import { indexStatuses } from './index-statuses.ts'

/** Where it is noted down to which id the index has to be made still; nothing is noted when it is whole. */
const SETTING = 'search:backlog'

const NEWEST = '9223372036854775807'

const CHUNK = 500

/** So long one job goes on; the next one comes with the clock. */
const MAX_MS = 20_000

const findBelow = statement<{ params: { below: string }; row: { id: string; is_boost: boolean } }>(
  `select id, reblog_of_id is not null as is_boost from statuses where id < $below order by id desc limit ${CHUNK}`,
)
const move = statement<{ params: { below: string; lowest: string } }>(
  `update settings set value = to_jsonb($lowest::text), updated_at = now() where name = '${SETTING}'
    and value #>> '{}' = $below`,
)
const end = statement<{ params: { below: string } }>(
  `delete from settings where name = '${SETTING}' and value #>> '{}' = $below`,
)
const begin = statement<{ params: { newest: string } }>(
  `insert into settings (name, value) values ('${SETTING}', to_jsonb($newest::text))
   on conflict (name) do update set value = excluded.value, updated_at = now()`,
)
const count = statement<{ params: { below: string }; row: { done: string; all: string } }>(
  `select (select count(*) from statuses where id >= $below) as done, (select count(*) from statuses) as all`,
)

/** Effect: goes on with the index of what was written before there was one. */
export async function indexBacklog(ctx: Ctx): Promise<void> {
  const stopAt = performance.now() + MAX_MS
  while (performance.now() < stopAt && (await indexChunk(ctx)) !== null);
}

/** Has everything entered anew, by the clock's jobs or by `rebuildIndex`. What is there can be found meanwhile. */
export async function beginRebuild(ctx: Ctx): Promise<void> {
  await ctx.write((tx) => begin(tx.db, { newest: NEWEST }))
}

/** How far the index is made; null: it is whole. */
export async function readProgress(ctx: Ctx): Promise<{ done: number; all: number } | null> {
  const below = await readSetting<string>(ctx, { name: SETTING })
  if (below === null) return null
  const [row] = await count(ctx.db, { below })
  return { done: Number(row!.done), all: Number(row!.all) }
}

/**
 * Enters the next statuses, going back in time, and notes how far it is. Returns how many they were; null: there is
 * nothing more to do. Two at once do the same work twice, and nothing wrong.
 */
async function indexChunk(ctx: Ctx): Promise<number | null> {
  const below = await readSetting<string>(ctx, { name: SETTING })
  if (below === null) return null
  const rows = await findBelow(ctx.db, { below })
  await indexStatuses(ctx, { ids: rows.filter((row) => !row.is_boost).map((row) => row.id) })
  const lowest = rows.at(-1)?.id
  // Whoever began again in between begins again.
  await ctx.write((tx) => (lowest === undefined ? end(tx.db, { below }) : move(tx.db, { below, lowest })))
  return lowest === undefined ? null : rows.length
}

/**
 * Enters everything anew, and returns how many statuses it was. What is broken off goes on with the clock.
 * `onProgress`: is told now and then which part of it is done, from 0 to 1.
 */
export async function rebuildIndex(
  ctx: Ctx,
  { onProgress }: { onProgress: (done: number, title: string) => void },
): Promise<number> {
  await beginRebuild(ctx)
  const { all } = (await readProgress(ctx)) ?? { all: 0 }
  let done = 0
  for (let size = await indexChunk(ctx); size !== null; size = await indexChunk(ctx)) {
    done += size
    // More are written meanwhile.
    onProgress(Math.min(1, done / all), 'entering the posts into the search')
  }
  return done
}

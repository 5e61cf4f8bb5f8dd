import { statement } from '../platform/db/statement.ts'
import { Cache } from '../platform/db/cache.ts'
import type { CachedRead, Read, Tx } from './context.ts'
import { invalidationsFor } from './open-read.ts'

// Under names with a colon parts of the program note how far they are; these invalidate nothing (`migrations/0010-cache-invalidation.ts`).
const loadChosen = statement<{ row: { name: string; value: unknown } }>(
  `select name, value from settings where name not like '%:%'`,
)
const find = statement<{ params: { name: string }; row: { value: unknown } }>(
  `select value from settings where name = $name`,
)
const write = statement<{ params: { name: string; value: string; now: Date } }>(
  `insert into settings (name, value, updated_at) values ($name, $value, $now)
   on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
)

/** How much memory the choices may take: more than all of the owner's texts together. */
const CACHE_BYTES = 4 * 1024 * 1024

const cache = new Cache<ReadonlyMap<string, unknown>>({
  maxBytes: CACHE_BYTES,
  isInvalidated: (invalidations, { since }) => invalidations.isEverythingInvalidated(since),
})

/** Returns all settings by their names. Without an epoch in the context, checks for invalidations. */
export async function readChosen(
  read: Pick<Read, 'db'> & Partial<Pick<CachedRead, 'invalidations'>>,
): Promise<ReadonlyMap<string, unknown>> {
  const invalidations = await invalidationsFor(read)
  const known = cache.get(invalidations, '')
  if (known !== undefined) return known
  const since = invalidations.epoch
  const rows = await loadChosen(read.db)
  const chosen = new Map(rows.map(({ name, value }) => [name, value]))
  cache.set(invalidations, '', { value: chosen, since, bytes: 2 * JSON.stringify(rows).length })
  return chosen
}

/** What the owner chose, or a part of the program noted, under a name. null = never set. */
export async function readSetting<T>(read: Read, { name }: { name: string }): Promise<T | null> {
  const [row] = await find(read.db, { name })
  return row === undefined ? null : (row.value as T)
}

/** Sets a value that JSON can hold. */
export async function writeSetting(tx: Tx, { name, value }: { name: string; value: unknown }): Promise<void> {
  await write(tx.db, { name, value: JSON.stringify(value), now: tx.now })
}

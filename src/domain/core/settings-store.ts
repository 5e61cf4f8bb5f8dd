import { statement } from '../../platform/db/statement.ts'
import { Cache } from '../../platform/db/cache.ts'
import type { CachedRead, Read, Tx } from '../context.ts'
import { invalidationsFor } from '../open-read.ts'

// Names with a colon store the progress of jobs; they cause no invalidations (`migrations/0010-cache-invalidation.ts`).
const loadSettings = statement<{ row: { name: string; value: unknown } }>(
  `select name, value from settings where name not like '%:%'`,
)
const find = statement<{ params: { name: string }; row: { value: unknown } }>(
  `select value from settings where name = $name`,
)
const lock = statement<{ params: { name: string }; row: { value: unknown } }>(
  `select value from settings where name = $name for update`,
)
const findPrefixed = statement<{ params: { prefix: string }; row: { name: string; value: unknown } }>(
  `select name, value from settings where starts_with(name, $prefix)`,
)
const write = statement<{ params: { name: string; value: string; now: Date } }>(
  `insert into settings (name, value, updated_at) values ($name, $value, $now)
   on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
)

const cache = new Cache<ReadonlyMap<string, unknown>>({
  isInvalidated: (invalidations, { since }) => invalidations.isEverythingInvalidated(since),
})

/** Returns all settings by their names. Without an epoch in the context, checks for invalidations. */
export async function readStoredSettings(
  read: Pick<Read, 'db'> & Partial<Pick<CachedRead, 'invalidations'>>,
): Promise<ReadonlyMap<string, unknown>> {
  const invalidations = await invalidationsFor(read)
  const cached = cache.get(invalidations, '')
  if (cached !== undefined) return cached
  const since = invalidations.epoch
  const rows = await loadSettings(read.db)
  const settings = new Map(rows.map(({ name, value }) => [name, value]))
  cache.set(invalidations, '', { value: settings, since, bytes: 2 * JSON.stringify(rows).length })
  return settings
}

/** Returns the stored value of a setting, from the database; null = never set. */
export async function readSetting<T>(read: Read, { name }: { name: string }): Promise<T | null> {
  const [row] = await find(read.db, { name })
  return row === undefined ? null : (row.value as T)
}

/** Returns the stored value of a setting like `readSetting`, and locks it until the end of the transaction. */
export async function lockSetting<T>(tx: Tx, { name }: { name: string }): Promise<T | null> {
  const [row] = await lock(tx.db, { name })
  return row === undefined ? null : (row.value as T)
}

/** Returns the stored values of the settings whose names begin with a prefix, by the rest of the name. */
export async function readPrefixedSettings<T>(
  read: Pick<Read, 'db'>,
  { prefix }: { prefix: string },
): Promise<ReadonlyMap<string, T>> {
  const rows = await findPrefixed(read.db, { prefix })
  return new Map(rows.map(({ name, value }) => [name.slice(prefix.length), value as T]))
}

/** Stores a value, which must be valid JSON. */
export async function writeSetting(tx: Tx, { name, value }: { name: string; value: unknown }): Promise<void> {
  await write(tx.db, { name, value: JSON.stringify(value), now: tx.now })
}

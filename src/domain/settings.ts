import { lookForChanges } from '../platform/db/changes.ts'
import type { Moment } from '../platform/db/changes.ts'
import { statement } from '../platform/db/statement.ts'
import { Kept } from '../platform/db/kept.ts'
import type { Read, Tx } from './context.ts'

// Under names with a colon parts of the program note how far they are; of that nobody is told (migration 0030).
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
const KEPT_BYTES = 4 * 1024 * 1024

const kept = new Kept<ReadonlyMap<string, unknown>>({
  maxBytes: KEPT_BYTES,
  hasChanged: (changes, { since }) => changes.hasEverythingChanged(since),
})

/** Everything that the owner chose, by names. `asOf`: when the request looked for changes. */
export async function readChosen(
  { db }: Pick<Read, 'db'>,
  { asOf }: { asOf?: Moment | undefined } = {},
): Promise<ReadonlyMap<string, unknown>> {
  const changes = await lookForChanges(db, { asOf })
  const known = kept.get(changes, '')
  if (known !== undefined) return known
  const since = changes.moment
  const rows = await loadChosen(db)
  const chosen = new Map(rows.map(({ name, value }) => [name, value]))
  kept.set(changes, '', { value: chosen, since, bytes: 2 * JSON.stringify(rows).length })
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

import type { Read, Tx } from './context.ts'

/** What the owner chose, or a part of the program noted, under a name. null = never set. */
export async function readSetting<T>(read: Read, { name }: { name: string }): Promise<T | null> {
  const row = await read.db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row === undefined ? null : (row.value as T)
}

/** Sets a value that JSON can hold. */
export async function writeSetting(tx: Tx, { name, value }: { name: string; value: unknown }): Promise<void> {
  const json = JSON.stringify(value)
  await tx.db
    .insertInto('settings')
    .values({ name, value: json, updated_at: tx.now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: json, updated_at: tx.now }))
    .execute()
}

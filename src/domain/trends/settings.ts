import { statement } from '../../platform/db/connect.ts'
import type { Read } from '../context.ts'

/** Whether it is told what trends, unless the owner says no. */
export const TRENDS_SETTING = 'trends'
/** Whether what nobody of the staff has looked at is shown. */
export const UNREVIEWED_SETTING = 'trendable_by_default'

const load = statement<{ name: string; value: unknown }>(`select name, value from settings where name = any($1)`)

/** What the owner says about trends. `unreviewed`: they are shown before anybody of the staff looked at them. */
export async function readTrendsSettings(read: Pick<Read, 'db'>): Promise<{ enabled: boolean; unreviewed: boolean }> {
  const rows = new Map(
    (await load(read.db, [[TRENDS_SETTING, UNREVIEWED_SETTING]])).map((row) => [row.name, row.value]),
  )
  return { enabled: rows.get(TRENDS_SETTING) !== false, unreviewed: rows.get(UNREVIEWED_SETTING) === true }
}

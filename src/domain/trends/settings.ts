import type { Read } from '../context.ts'
import { readChosen } from '../settings.ts'

/** Whether it is told what trends, unless the owner says no. */
export const TRENDS_SETTING = 'trends'
/** Whether what nobody of the staff has looked at is shown. */
export const UNREVIEWED_SETTING = 'trendable_by_default'

/** What the owner says about trends. `unreviewed`: they are shown before anybody of the staff looked at them. */
export async function readTrendsSettings(read: Pick<Read, 'db'>): Promise<{ enabled: boolean; unreviewed: boolean }> {
  const chosen = await readChosen(read)
  return { enabled: chosen.get(TRENDS_SETTING) !== false, unreviewed: chosen.get(UNREVIEWED_SETTING) === true }
}

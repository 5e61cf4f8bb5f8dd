import type { Read } from '../context.ts'
import { readStoredSettings } from '../core/settings-store.ts'

/** The setting whether trends are shown; the default is true. */
export const TRENDS_SETTING = 'trends'
/** The setting whether unreviewed trends are shown; the default is false. */
export const UNREVIEWED_SETTING = 'trendable_by_default'

/** Returns the settings of trends. `unreviewed`: trends are shown before the staff has reviewed them. */
export async function readTrendsSettings(read: Pick<Read, 'db'>): Promise<{ enabled: boolean; unreviewed: boolean }> {
  const stored = await readStoredSettings(read)
  return { enabled: stored.get(TRENDS_SETTING) !== false, unreviewed: stored.get(UNREVIEWED_SETTING) === true }
}

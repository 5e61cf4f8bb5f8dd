import type { Read } from '../context.ts'
import { readSettings } from './instance-settings.ts'

/**
 * Returns whether the server publishes the known domains and its weekly activity. With limited federation it
 * publishes neither.
 */
export async function readPublishedFigures(read: Read): Promise<{ peers: boolean; activity: boolean }> {
  if (read.config.access.limitedFederation) return { peers: false, activity: false }
  const { peers, activity } = await readSettings(read)
  return { peers, activity }
}

import type { Read } from '../context.ts'
import { readSettings } from '../instance/settings.ts'

/** From then until the end of the year. */
const FIRST_DAY_OF_DECEMBER = 10

/** The year that people can look back on at this moment, in UTC; null at other times of the year. */
export function campaignYear(now: Date): number | null {
  return now.getUTCMonth() === 11 && now.getUTCDate() >= FIRST_DAY_OF_DECEMBER ? now.getUTCFullYear() : null
}

/** The same, where the owner lets them. */
export async function findCampaignYear(read: Read, { now }: { now: Date }): Promise<number | null> {
  const year = campaignYear(now)
  return year !== null && (await readSettings(read))['annual-reports'] ? year : null
}

import type { Read } from '../context.ts'
import { readSettings } from '../instance/instance-settings.ts'

/** The campaign lasts from this day to the end of the year. */
const FIRST_DAY_OF_DECEMBER = 10

/** Returns the year that users can request a report of, in UTC; null outside of the campaign. */
export function campaignYear(now: Date): number | null {
  return now.getUTCMonth() === 11 && now.getUTCDate() >= FIRST_DAY_OF_DECEMBER ? now.getUTCFullYear() : null
}

/** Returns the same as `campaignYear`; null if annual reports are turned off. */
export async function findCampaignYear(read: Read, { now }: { now: Date }): Promise<number | null> {
  const year = campaignYear(now)
  return year !== null && (await readSettings(read))['annual-reports'] ? year : null
}

import { dayOf, HISTORY_DAYS, startOfDay } from '../../domain/core/usage-history.ts'
import type { DailyUse } from '../../entities/statuses/tag.ts'

/** The uses of a tag or link on one day. `day`: days since 1970, in UTC. */
export interface DailyUseRow {
  id: string
  day: number
  uses: string
  accounts: string
}

/** Returns a function that returns the uses of a tag or link on the last seven days, newest first. */
export function usageHistory({ uses, now }: { uses: readonly DailyUseRow[]; now: Date }): (id: string) => DailyUse[] {
  const today = dayOf(now)
  const byDay = new Map(uses.map((row) => [`${row.id} ${row.day}`, row]))
  return (id) =>
    Array.from({ length: HISTORY_DAYS }, (_day, ago) => {
      const used = byDay.get(`${id} ${today - ago}`)
      return {
        day: String(startOfDay(today - ago).getTime() / 1000),
        accounts: used?.accounts ?? '0',
        uses: used?.uses ?? '0',
      }
    })
}

const DAY_MS = 86_400_000

/** Returns when an announcement ends; null: never. All-day ones end with their last day in UTC. */
export function endOfAnnouncement({ endsAt, allDay }: { endsAt: Date | null; allDay: boolean }): Date | null {
  return endsAt && (allDay ? new Date(Math.floor(endsAt.getTime() / DAY_MS + 1) * DAY_MS) : endsAt)
}

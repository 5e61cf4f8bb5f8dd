import type { Tag } from '../../lib/api/entities.ts'

type History = Tag['history']

const RECENT_DAYS = 2

/** Returns how often, and by how many accounts, a tag or a link was used yesterday and today. */
export function recentUsageOf(history: History): { posts: number; people: number } {
  const days = history.slice(0, RECENT_DAYS)
  const sum = (numbers: string[]) => numbers.reduce((total, number) => total + Number(number), 0)
  return { posts: sum(days.map(({ uses }) => uses)), people: sum(days.map(({ accounts }) => accounts)) }
}

/** Returns the use of each day relative to the highest one, the oldest first. */
export function relativeUses(history: History): number[] {
  const uses = history.map((day) => Number(day.uses)).toReversed()
  const highest = Math.max(1, ...uses)
  return uses.map((count) => count / highest)
}

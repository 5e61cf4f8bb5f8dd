import type { Tag } from '../../lib/api/entities.ts'

type History = Tag['history']

/** Returns how many accounts used a tag or a link yesterday and today. */
export function recentPeopleOf(history: History): number {
  return history.slice(0, 2).reduce((sum, { accounts }) => sum + Number(accounts), 0)
}

/** Returns the use of each day relative to the highest one, the oldest first. */
export function relativeUses(history: History): number[] {
  const uses = history.map((day) => Number(day.uses)).toReversed()
  const highest = Math.max(1, ...uses)
  return uses.map((count) => count / highest)
}

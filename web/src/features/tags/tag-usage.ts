import type { Tag } from '../../lib/api/entities.ts'

const DAYS = 2

/** Returns how often a hashtag was used today and yesterday. */
export function usageOf(history: Tag['history']): { posts: number; accounts: number } {
  const days = history.slice(0, DAYS)
  const sum = (numbers: string[]) => numbers.reduce((total, number) => total + Number(number), 0)
  return { posts: sum(days.map(({ uses }) => uses)), accounts: sum(days.map(({ accounts }) => accounts)) }
}

const DAY_MS = 86_400_000

/** Returns how many statuses an account has published on each day since it exists, with one decimal. */
export function postsPerDay(
  { statusesCount, createdAt }: { statusesCount: number; createdAt: string },
  now: Date,
): number {
  const days = Math.max(1, (now.getTime() - new Date(createdAt).getTime()) / DAY_MS)
  return Math.round((statusesCount / days) * 10) / 10
}

/** Above this number, the limit on follows depends on the number of followers. */
const MAX_FOLLOWS = 7_500
const FOLLOWS_PER_FOLLOWER = 1.1

/** Returns how many accounts a local account with so many followers may follow. */
export function followLimit(followersCount: number): number {
  return Math.max(MAX_FOLLOWS, Math.round(followersCount * FOLLOWS_PER_FOLLOWER))
}

/** Returns the same as an SQL expression over an alias of `account_stats`. */
export function followLimitSql(stats: string): string {
  return `greatest(${MAX_FOLLOWS}, round(${stats}.followers_count * ${FOLLOWS_PER_FOLLOWER}))`
}

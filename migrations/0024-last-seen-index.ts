/** The measures of the staff find active users by their last activity. */
export const concurrentIndexes = [`create index concurrently if not exists users_last_seen_at on users (last_seen_at)`]

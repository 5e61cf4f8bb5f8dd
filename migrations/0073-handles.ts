/**
 * Any number of accounts may have the same username, such as `admin`. `accounts_local_username` finds the local one, and
 * `accounts_handles` serves both handles and prefixes of usernames: beside an index of the usernames alone, which is
 * smaller, PostgreSQL used that one for handles, too.
 */
export const concurrentIndexes = [
  `create index concurrently if not exists accounts_local_username on accounts (lower(username)) where domain is null`,
  `create unique index concurrently if not exists accounts_handles
     on accounts (lower(username) text_pattern_ops, coalesce(domain, ''))`,
]

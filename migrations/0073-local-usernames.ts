/** The usernames of local accounts, which may be those of any number of remote accounts, such as `admin`. */
export const concurrentIndexes = [
  `create index concurrently if not exists accounts_local_username on accounts (lower(username)) where domain is null`,
]

/**
 * A deletion of an account checks every table that refers to accounts, and finds its statuses, which may be hidden.
 * Without these indexes, it would read the complete tables.
 */
export const concurrentIndexes = [
  `create index concurrently if not exists statuses_of_account on statuses (account_id)`,
  `create index concurrently if not exists received_activities_inbox_account on received_activities (inbox_account_id)
   where inbox_account_id is not null`,
]

/** The measures of the staff read the rows of a period. */
export const concurrentIndexes = [
  `create index concurrently if not exists users_created_at on users (created_at)`,
  `create index concurrently if not exists reports_created_at on reports (created_at)`,
  `create index concurrently if not exists reports_action_taken_at on reports (action_taken_at)
   where action_taken_at is not null`,
  // Favourites of local accounts.
  `create index concurrently if not exists favourites_local on favourites (created_at) where uris = '{}'`,
  // Boosts by local accounts, and their replies to other accounts.
  `create index concurrently if not exists statuses_interactions on statuses (id)
   where local and deleted_at is null
     and (reblog_of_id is not null or (in_reply_to_account_id is not null and in_reply_to_account_id <> account_id))`,
  // Counts by server and by hashtag read only this index.
  `create index concurrently if not exists statuses_by_time on statuses (id) include (account_id, visibility, local_only, language)
   where deleted_at is null`,
  `create index concurrently if not exists accounts_domain_created on accounts (domain, created_at)
   where domain is not null`,
  `create index concurrently if not exists media_attachments_stored on media_attachments (byte_size)
   where file_key is not null`,
]

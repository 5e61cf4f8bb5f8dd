/** Indexes by which the staff find accounts: by their states, by the beginnings of texts, and by IP addresses. */
export const concurrentIndexes = [
  `create index concurrently if not exists accounts_sensitized on accounts (id) where sensitized_at is not null`,
  `create index concurrently if not exists accounts_local on accounts (id) where domain is null`,
  `create index concurrently if not exists accounts_silenced_local on accounts (id)
   where silenced_at is not null and domain is null`,
  `create index concurrently if not exists accounts_suspended_local on accounts (id)
   where suspended_at is not null and domain is null`,
  // Display names of remote accounts may be longer than an index entry.
  `create index concurrently if not exists accounts_display_name_prefix
   on accounts (left(lower(display_name), 60) text_pattern_ops) where display_name <> ''`,
  `create index concurrently if not exists users_email_prefix on users (lower(email) text_pattern_ops)`,
  `create index concurrently if not exists users_unapproved on users (account_id) where not approved`,
  `create index concurrently if not exists users_disabled on users (account_id) where disabled_at is not null`,
  `create index concurrently if not exists users_sign_up_ip on users (sign_up_ip) include (account_id)
   where sign_up_ip is not null`,
  `create index concurrently if not exists sessions_ip on sessions (ip) include (user_id) where ip is not null`,
]

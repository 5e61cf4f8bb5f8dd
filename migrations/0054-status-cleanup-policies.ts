/** The automated deletion of old posts, which users can enable. */
export const up = `
create table status_cleanup_policies (
  user_id bigint primary key references users on delete cascade,
  enabled boolean not null,
  -- posts and boosts become eligible at this age
  min_age_seconds integer not null check (min_age_seconds > 0),

  -- exceptions: posts that are kept
  keep_pinned boolean not null,
  keep_direct boolean not null,
  -- favourited or bookmarked by the user
  keep_favourited boolean not null,
  keep_bookmarked boolean not null,
  keep_polls boolean not null,
  keep_media boolean not null,
  -- posts with at least so many favourites or boosts; null: no exception
  min_favourites integer check (min_favourites > 0),
  min_reblogs integer check (min_reblogs > 0),

  -- The present pass over the posts, oldest first: when it started, and the last examined one. Null: none yet.
  pass_started_at timestamptz not null,
  examined_until bigint,
  -- when the next posts are examined
  due_at timestamptz not null
);
create index status_cleanup_policies_due on status_cleanup_policies (due_at, user_id) where enabled;
`

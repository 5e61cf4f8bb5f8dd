/** Counts of past days of active users and of hashtags, so that the measures of the staff read few rows. */
export const up = `
-- How many users were active on a day (UTC) and, before it, last on "previous_day" or earlier. The users of a period are
-- those of its days who were not active on an earlier day of it, so each day needs one row: the latest from before the
-- period.
create table daily_active_users (
  day date not null,
  -- -infinity: not active before, in the last two years
  previous_day date not null,
  users integer not null,
  primary key (day, previous_day) include (users),
  check (previous_day < day)
);
-- The public uses of a hashtag on a day (UTC).
create table daily_tag_uses (
  tag_id bigint not null references tags on delete cascade,
  day date not null,
  -- of the authors; empty: this server
  domain text not null,
  uses integer not null,
  primary key (tag_id, day, domain) include (uses)
);
create index daily_tag_uses_day on daily_tag_uses (day);
-- daily_active_users and daily_tag_uses have all days before this one; null before the first run
alter table daily_tally_progress add column uses_tallied_before date;
`

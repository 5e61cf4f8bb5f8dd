/** Counts of past days, so that the measures of the staff read few rows. */
export const up = `
-- The hourly job adds a day (UTC) when it is over and settled.
create table daily_tallies (
  -- 'interactions': of local accounts; 'statuses': of a server
  measure text not null,
  day date not null,
  -- the domain of a server; empty: this one
  domain text not null default '',
  value bigint not null,
  primary key (measure, day, domain)
);
create table daily_tally_progress (
  only_row boolean primary key default true check (only_row),
  -- daily_tallies has all days before this one; null before the first run
  tallied_before date
);
insert into daily_tally_progress default values;
`

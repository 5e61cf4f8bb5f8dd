/** On which days users were active, for the measures of the staff. */
export const up = `
-- A row for each user and day (UTC) with a request. The hourly job deletes rows after two years.
create table user_active_days (
  user_id bigint not null references users on delete cascade,
  day date not null,
  primary key (user_id, day)
);
create index user_active_days_day on user_active_days (day);
`

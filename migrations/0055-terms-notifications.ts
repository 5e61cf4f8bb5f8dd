/** The notification of users about new terms of service, and which users have to review them. */
export const up = `
alter table terms_of_service
  -- Markdown: what changed, for the mail
  add column changelog text not null default '',
  add column notification_sent_at timestamptz,
  -- how far the notification has come: the highest user id; null before it has begun and after its end
  add column notified_until bigint;

-- The users who see a page about new terms when they open the web client, until they have opened the terms.
create table terms_reviews (
  user_id bigint primary key references users on delete cascade,
  effective_date date not null references terms_of_service on delete cascade
);
create index terms_reviews_effective_date on terms_reviews (effective_date);
`

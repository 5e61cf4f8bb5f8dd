/** Announcements that are not published yet, and the order of the rules. */
export const up = `
-- published_at is null: the announcement is a draft, or is published at scheduled_at.
alter table announcements
  alter column published_at drop not null,
  alter column published_at drop default,
  add column scheduled_at timestamptz;

-- The order of the rules; equal ones are ordered by id.
alter table rules add column priority integer not null default 0;
`

/** Hashtag timelines of this server read only the statuses of this server, however many remote ones have the hashtag. */
export const up = `
-- Whether the status is local. Null: not marked yet, so the status itself decides.
alter table status_tags add column local boolean;
-- A job marks the existing rows, from newer to older statuses. The value is the last status that it has reached.
insert into settings (name, value)
select 'hashtags:unmarked', '"9223372036854775807"' where exists (select from status_tags);
`

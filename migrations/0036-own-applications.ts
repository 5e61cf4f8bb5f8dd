/** Applications that users register for themselves on a page. */
export const up = `
-- the user who manages the application on a page; null: registered by the API, or given up by its owner
alter table applications add column owner_user_id bigint references users on delete set null;
create index applications_owner on applications (owner_user_id, id desc) where owner_user_id is not null;
`

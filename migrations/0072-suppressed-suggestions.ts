/** The accounts that the staff keep out of the follow suggestions of all users. */
export const up = `
create table suppressed_suggestions (
  account_id bigint primary key references accounts on delete cascade,
  created_at timestamptz not null
);
create index suppressed_suggestions_newest on suppressed_suggestions (created_at desc, account_id desc);
`

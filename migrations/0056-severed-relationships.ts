/** The names of the accounts that a user lost by a domain block or a suspension, so that the user can download them. */
export const up = `
create table severed_relationships (
  severance_id bigint not null references relationship_severance_events on delete cascade,
  -- true: a follower of the user; false: an account that the user followed
  is_follower boolean not null,
  -- with the domain; not the id of the account, since the account may be deleted together with its domain
  handle text not null,
  -- the options of a follow by the user
  show_reblogs boolean not null,
  notify boolean not null,
  languages text[],
  primary key (severance_id, is_follower, handle)
);
`

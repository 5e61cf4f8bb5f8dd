/** Imports of posts from archives of accounts. */
export const up = `
alter table account_imports drop constraint account_imports_type_check;
alter table account_imports add constraint account_imports_type_check check (type in
  ('following', 'lists', 'muting', 'blocking', 'domain_blocking', 'bookmarks', 'filters', 'archive'));
-- The key of the uploaded archive in the storage. Null: another type, or the import is finished.
alter table account_imports add column file_key text unique;
-- the document actor.json of an archive
alter table account_imports add column actor text;
-- How many bytes of files in the archive may still be read. Each file belongs to one post, so all of them fit into the
-- size of the archive.
alter table account_imports add column file_bytes_left bigint;

-- The posts that users have imported from archives. An id in an archive is imported once for each account.
create table imported_statuses (
  account_id bigint not null references accounts on delete cascade,
  -- the id of the post in the archive
  uri text not null,
  status_id bigint not null unique references statuses on delete cascade,
  primary key (account_id, uri)
);
`

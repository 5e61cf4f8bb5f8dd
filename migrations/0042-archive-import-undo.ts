/** The undo of imports of posts, and imports of favourites and bookmarks from archives. */
export const up = `
-- When the user asked to delete the posts of this import again, and when all of them were deleted. Null: not (yet).
alter table account_imports add column undo_requested_at timestamptz;
alter table account_imports add column undone_at timestamptz;

-- The posts that an import of an archive has created.
create table archive_import_statuses (
  status_id bigint primary key references statuses on delete cascade,
  import_id bigint not null references account_imports on delete cascade
);
create index archive_import_statuses_import on archive_import_statuses (import_id, status_id);
`

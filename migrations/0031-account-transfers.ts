/** Lists that users import from files, and archives of their data. */
export const up = `
create table account_imports (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  type text not null
    check (type in ('following', 'lists', 'muting', 'blocking', 'domain_blocking', 'bookmarks', 'filters')),
  -- whether entries that the file lacks are removed
  overwrite boolean not null,
  -- unconfirmed: nothing has been applied, and it expires after minutes
  state text not null default 'unconfirmed' check (state in ('unconfirmed', 'scheduled', 'in_progress', 'finished')),
  -- The entries up to this id have been compared with the file. Null: all have been, or none is to be removed.
  removed_until bigint,
  -- as the browser sent it
  file_name text not null,
  total_items integer not null,
  processed_items integer not null default 0,
  imported_items integer not null default 0,
  created_at timestamptz not null,
  finished_at timestamptz
);
create index account_imports_account on account_imports (account_id, id);
create index account_imports_created_at on account_imports (created_at);

-- The rows of the files. An imported row is deleted; a failed one stays for the list of failures.
create table account_import_rows (
  id bigint generated always as identity primary key,
  import_id bigint not null references account_imports on delete cascade,
  -- What the row names: username@domain in lower case (without a domain: local), a domain or a URI. Null: nothing valid.
  key text,
  -- in the columns of the exported file; of a filter, its JSON
  cells text[] not null,
  failed boolean not null default false
);
create index account_import_rows_import on account_import_rows (import_id, id);
create index account_import_rows_key on account_import_rows (import_id, key);

-- The archives of their data that users request.
create table account_archives (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  -- The random name of the file, which is the same for each attempt to write it.
  name text not null,
  requested_at timestamptz not null,
  -- null: it is not written yet
  finished_at timestamptz,
  byte_size bigint
);
create index account_archives_account on account_archives (account_id, id);
create index account_archives_requested_at on account_archives (requested_at);
`

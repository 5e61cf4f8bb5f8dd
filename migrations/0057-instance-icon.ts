/** The icon of the server in browser tabs, of the installed web client, and in apps. */
export const up = `
create table instance_icons (
  -- at most one row
  id bigint primary key default 1 check (id = 1),
  -- files of 48, 192 and 512 pixels
  small_file_key text not null,
  medium_file_key text not null,
  large_file_key text not null,
  updated_at timestamptz not null
);
`

/** The image that represents the server in apps, link previews and on the front page. */
export const up = `
create table instance_thumbnails (
  -- at most one row
  id bigint primary key default 1 check (id = 1),
  file_key text not null,
  -- in twice the size; null: the uploaded image is too small for it
  large_file_key text,
  blurhash text not null,
  description text not null default '',
  updated_at timestamptz not null
);
`

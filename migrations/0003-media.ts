/** Media attachments, custom emojis, and the cache of remote media. */
export const up = `
create table media_attachments (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts on delete cascade,
  status_id bigint references statuses on delete set null,
  scheduled_status_id bigint references scheduled_statuses on delete set null,
  position smallint not null default 0,
  type text not null,
  -- A job processes large uploads after the response. While the state is processing, file_key is the key of the upload
  -- itself; an attachment that failed has none.
  state text not null default 'ready' check (state in ('processing', 'ready', 'failed')),

  -- Storage keys of local files: 128 random bits each, so a URL reveals nothing and can't be guessed.
  file_key text,
  preview_key text,
  -- The URLs from which remote files are fetched. Clients get them from the proxy under proxy_key: with guessable ids,
  -- the URLs of files in private statuses could be guessed, too.
  remote_url text,
  preview_remote_url text,
  proxy_key uuid not null default gen_random_uuid(),

  content_type text not null,
  byte_size bigint not null,
  meta jsonb not null,
  blurhash text,
  description text,

  created_at timestamptz not null default now(),
  -- The time since which no status has had it; a job deletes it after a day.
  detached_at timestamptz default now(),
  -- The time at which an edit removed it from its status. It remains attached, because earlier versions display it.
  withdrawn_at timestamptz
);
create index media_attachments_status on media_attachments (status_id) where status_id is not null;
create index media_attachments_scheduled on media_attachments (scheduled_status_id)
  where scheduled_status_id is not null;
create index media_attachments_account on media_attachments (account_id, status_id);
create index media_attachments_detached on media_attachments (detached_at) where status_id is null;
-- Two rows may have the same files: the author's, and the one that moderators retain. The files are deleted with the
-- last row, which these indexes find.
create index media_attachments_file on media_attachments (file_key) where file_key is not null;
create index media_attachments_preview on media_attachments (preview_key) where preview_key is not null;

create table custom_emojis (
  id bigint generated always as identity primary key,
  shortcode text not null,
  -- null: local
  domain text,
  uri text,
  -- storage keys of local emojis; remote ones are fetched from image_remote_url
  image_key text,
  static_image_key text,
  image_remote_url text,
  visible_in_picker boolean not null default true,
  category text,
  disabled boolean not null default false,
  updated_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create unique index custom_emojis_shortcode_domain on custom_emojis (shortcode, coalesce(domain, ''));
create index custom_emojis_local on custom_emojis (shortcode) where domain is null;

-- copies of remote files
create table cached_files (
  id bigint generated always as identity primary key,
  -- The owner of the file, at most one of these. When it is deleted, all are null, and a job deletes the files.
  media_id bigint references media_attachments on delete set null,
  account_id bigint references accounts on delete set null,
  emoji_id bigint references custom_emojis on delete set null,
  rendition text not null check (rendition in ('original', 'small', 'avatar', 'header', 'emoji')),
  -- the URL from which it was fetched; if its owner has another URL now, it is fetched again
  remote_url text not null,
  -- null: the fetch failed with status, and the next attempt is not before retry_at
  file_key text,
  -- a still image of an animation
  static_key text,
  byte_size bigint not null default 0,
  fetched_at timestamptz not null,
  -- the approximate time at which it was last served
  used_at timestamptz not null,
  status smallint,
  failures smallint not null default 0,
  retry_at timestamptz,
  check (num_nonnulls(media_id, account_id, emoji_id) <= 1),
  check ((file_key is null) = (retry_at is not null) and (file_key is null) = (status is not null))
);
create unique index cached_files_media on cached_files (media_id, rendition) where media_id is not null;
create unique index cached_files_account on cached_files (account_id, rendition) where account_id is not null;
create unique index cached_files_emoji on cached_files (emoji_id, rendition) where emoji_id is not null;
create index cached_files_used on cached_files (used_at, id) where file_key is not null;
create index cached_files_failed on cached_files (retry_at) where retry_at is not null;
create index cached_files_unreferenced on cached_files (id) where num_nonnulls(media_id, account_id, emoji_id) = 0;

-- The size of the cache in bytes: a single row, which also serialises reservations. Triggers update it, so that no
-- reservation has to sum the whole cache.
create table media_cache_size (
  id boolean primary key default true check (id),
  byte_size bigint not null
);
insert into media_cache_size (byte_size) values (0);

-- bytes of files that will be stored
create table media_cache_reservations (
  id bigint generated always as identity primary key,
  byte_size bigint not null,
  -- The reservation of a killed process ends at this time.
  expires_at timestamptz not null
);

create function count_media_cache() returns trigger language plpgsql as $$
declare
  change bigint := 0;
begin
  if tg_op <> 'DELETE' then
    change := change + (select coalesce(sum(byte_size), 0) from added);
  end if;
  if tg_op <> 'INSERT' then
    change := change - (select coalesce(sum(byte_size), 0) from removed);
  end if;
  -- A statement that only changes used_at does not lock the row.
  if change <> 0 then
    update media_cache_size set byte_size = byte_size + change;
  end if;
  return null;
end $$;
create trigger count_media_cache_insert after insert on cached_files
  referencing new table as added
  for each statement execute function count_media_cache();
create trigger count_media_cache_update after update on cached_files
  referencing new table as added old table as removed
  for each statement execute function count_media_cache();
create trigger count_media_cache_delete after delete on cached_files
  referencing old table as removed
  for each statement execute function count_media_cache();
`

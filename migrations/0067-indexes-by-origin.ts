/**
 * Local hashtag timelines read the index of statuses that are local or not marked yet. Public timelines of remote media
 * read the remote media attachments, so that local ones do not slow them down.
 */
export const concurrentIndexes = [
  `create index concurrently if not exists status_tags_local on status_tags (tag_id, status_id)
   where local is not false`,
  `create index concurrently if not exists media_attachments_remote on media_attachments (status_id)
   where status_id is not null and remote_url is not null`,
]

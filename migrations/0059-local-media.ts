/** Local public timelines of media read the local media attachments, so that remote ones do not slow them down. */
export const concurrentIndexes = [
  `create index concurrently if not exists media_attachments_local on media_attachments (status_id)
   where status_id is not null and remote_url is null`,
]

/** Statuses that link to the page of a remote collection show the collection, which is found by this URL. */
export const concurrentIndexes = [
  `create index concurrently if not exists collections_url on collections (url) where url is not null`,
]

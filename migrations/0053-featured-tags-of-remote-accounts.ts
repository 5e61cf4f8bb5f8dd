/** Where the featured hashtags of a remote account are listed. */
export const up = `alter table accounts add column featured_tags_url text`

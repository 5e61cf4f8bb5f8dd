/**
 * Returns an SQL expression over the alias of `status_cleanup_policies`: the first status id that is too new for the
 * policy at `$now`. Status ids are milliseconds, shifted by 16 bits, and a sequence number.
 */
export function firstTooNewId(policy: string): string {
  return `((extract(epoch from $now::timestamptz - ${policy}.min_age_seconds * interval '1 second') * 1000)::bigint << 16)`
}

/**
 * Returns an SQL condition over the aliases of `statuses` and `status_cleanup_policies`: whether no exception of the
 * policy keeps a status of its user. The exceptions are about posts: as in Mastodon, no boost is kept. The condition is
 * parenthesised, so it can be combined with `and`.
 */
export function hasNoException(s: string, policy: string): string {
  const exists = (table: string, more = '') => `exists (select from ${table} x where x.status_id = ${s}.id${more})`
  const byUser = ` and x.account_id = ${s}.account_id`
  return `(${s}.reblog_of_id is not null or not (
    (${policy}.keep_direct and ${s}.visibility = 'direct')
    or (${policy}.keep_pinned and ${exists('status_pins')})
    or (${policy}.keep_favourited and ${exists('favourites', byUser)})
    or (${policy}.keep_bookmarked and ${exists('bookmarks', byUser)})
    or (${policy}.keep_polls and ${exists('polls')})
    or (${policy}.keep_media and ${exists('media_attachments', ' and x.withdrawn_at is null')})
    or ${exists('status_stats', ` and (x.favourites_count >= ${policy}.min_favourites or x.reblogs_count >= ${policy}.min_reblogs)`)}
  ))`
}

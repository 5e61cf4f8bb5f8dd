/** The minimum score of a trending hashtag or link. */
export const MIN_SCORE = 1

/** The minimum score of a trending status. */
export const MIN_STATUS_SCORE = 0.3

/** The SQL condition that the hashtag `t` with the row `tt` of `trending_tags` trends, if it is approved. */
export const IS_TAG_TRENDING = `(tt.score >= ${MIN_SCORE} and t.listable and t.usable)`

/**
 * The SQL condition that the page of the card `c` may trend: its language is known, and it has an image, which Mastodon
 * requires, too. Mastodon's app for iOS cannot read a list with a link that has none.
 */
export const IS_LINK_ELIGIBLE = `(c.language is not null and c.image_key is not null)`

/** The same as `IS_TAG_TRENDING` for the card `c` with the row `tl` of `trending_links`. */
export const IS_LINK_TRENDING = `(tl.score >= ${MIN_SCORE} and ${IS_LINK_ELIGIBLE})`

/**
 * The SQL condition, over the alias `s`, that a status may trend: a public original status that is no reply, not
 * sensitive and without a content warning, in a known language, by a discoverable author who is neither limited nor
 * suspended.
 */
export const IS_STATUS_ELIGIBLE = `(s.visibility = 'public' and not s.local_only and s.reblog_of_id is null
  and s.deleted_at is null and s.spoiler_text = '' and not s.sensitive
  and s.in_reply_to_id is null and s.in_reply_to_account_id is null and s.in_reply_to_uri is null
  and s.language is not null
  and exists (select from accounts author where author.id = s.account_id
    and author.discoverable and author.silenced_at is null and author.suspended_at is null))`

/**
 * The SQL expressions of the review results: true (approved), false (rejected) or null (not reviewed). `p` is the
 * publisher of the card `c`, `r` the row of `status_trend_reviews`; both are left joins.
 */
export const TAG_REVIEW = 't.trendable'
export const LINK_REVIEW = 'coalesce(c.trendable, p.trendable)'
export const STATUS_REVIEW = 'r.trendable'

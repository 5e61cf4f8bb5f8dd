/** Below this a hashtag or a page does not trend. */
export const LEAST_SCORE = 1

/** Below this a status does not. */
export const LEAST_STATUS_SCORE = 0.3

/** Whether the hashtag `t` with the row `tt` of `trending_tags` trends, if the staff lets it, as SQL. */
export const TAG_TRENDS = `(tt.score >= ${LEAST_SCORE} and t.listable and t.usable)`

/** The same of the card `c` with the row `tl` of `trending_links`. */
export const LINK_TRENDS = `(tl.score >= ${LEAST_SCORE} and c.language is not null)`

/**
 * Whether a status may trend at all: for everybody, nothing that somebody has to be warned of, no answer, in a language
 * that is known, by somebody who wants to be discovered and is in good standing. SQL over the alias `s`.
 */
export const STATUS_MAY_TREND = `(s.visibility = 'public' and not s.local_only and s.reblog_of_id is null
  and s.deleted_at is null and s.spoiler_text = '' and not s.sensitive
  and s.in_reply_to_id is null and s.in_reply_to_account_id is null and s.language is not null
  and exists (select from accounts author where author.id = s.account_id
    and author.discoverable and author.silenced_at is null and author.suspended_at is null))`

/**
 * What the staff says about each, true, false or null: nothing yet. `p` is the publisher of the card `c`, `r` the row of
 * `reviewed_statuses`, both joined from the left.
 */
export const TAG_VERDICT = 't.trendable'
export const LINK_VERDICT = 'coalesce(c.trendable, p.trendable)'
export const STATUS_VERDICT = 'r.trendable'

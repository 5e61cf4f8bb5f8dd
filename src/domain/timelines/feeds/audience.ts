import { IS_HIDDEN_FROM_SOME, STORED_ATTRIBUTES } from '../../access/feed-eligibility.ts'
import type { StatusAttributes } from '../../access/feed-eligibility.ts'

// The parts of statuses that decide whose feeds contain them, for statements about one status and many feeds.

/** SQL for the columns of a relation `audience` of statuses, read from `STATUSES_WITH_ATTRIBUTES`. */
export const AUDIENCE_COLUMNS = `s.id, s.account_id, coalesce(s.reblog_of_id, s.id) as original_id,
  ${STORED_ATTRIBUTES.isReblog} as is_reblog, ${STORED_ATTRIBUTES.language} as language,
  ${STORED_ATTRIBUTES.isRootOrSelfReply} as is_root_or_self_reply, ${STORED_ATTRIBUTES.repliedToId} as replied_to_id, involved.*,
  ${IS_HIDDEN_FROM_SOME} as is_hidden_from_some`

/** The attributes of `AUDIENCE_COLUMNS`. */
export const AUDIENCE_ATTRIBUTES: StatusAttributes = {
  isReblog: 'audience.is_reblog',
  language: 'audience.language',
  isRootOrSelfReply: 'audience.is_root_or_self_reply',
  repliedToId: 'audience.replied_to_id',
  directRecipientIds: 'audience.direct_recipient_ids',
  involvedIds: 'audience.involved_ids',
  authorIds: 'audience.author_ids',
  domains: 'audience.domains',
  isHiddenFromSome: 'audience.is_hidden_from_some',
}

/**
 * Returns an SQL condition: the status is no reply to an unknown one, which lacks its context, so that only the
 * author's feed gets it.
 */
export const isThreadKnown = (s: Pick<StatusAttributes, 'isRootOrSelfReply' | 'repliedToId'>): string =>
  `(${s.isRootOrSelfReply} or ${s.repliedToId} is not null)`

/** SQL for the hashtags by which the status `s` reaches the home feeds of their followers: an array of ids. */
export const FOLLOWED_TAG_IDS = `array(select st.tag_id from status_tags st
  where st.status_id = s.id and s.visibility = 'public' and s.reblog_of_id is null
    and exists (select from tag_follows t where t.tag_id = st.tag_id offset 0)
    and not exists (select from accounts a where a.id = s.account_id and a.silenced_at is not null))`

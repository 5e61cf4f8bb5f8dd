import { normalizeHashtag } from '../../../lib/text/entities/normalize-hashtag.ts'
import { isRootOrSelfReply } from '../../access/is-root-or-self-reply.ts'

/** Which of an account's statuses a client requests (Mastodon: GET /api/v1/accounts/:id/statuses). */
export interface AccountStatusesFilter {
  /** Leaves out replies to other accounts, but not self-replies. */
  excludeReplies?: boolean
  excludeReblogs?: boolean
  excludeDirect?: boolean
  onlyMedia?: boolean
  /** Only statuses with this hashtag. */
  tagged?: string
}

/** The parameters of `accountStatusesCondition`. */
export interface AccountStatusesParameters {
  without_replies: boolean
  without_reblogs: boolean
  without_direct: boolean
  only_media: boolean
  tag: string | null
}

/**
 * Returns the SQL condition of a filter over the alias `s` of `statuses`. `parameter` returns the SQL expression of a
 * parameter. `offset 0` keeps the planner from reading all statuses with the hashtag.
 */
export function accountStatusesCondition(parameter: (name: keyof AccountStatusesParameters) => string): string {
  return `(not ${parameter('without_replies')} or ${isRootOrSelfReply()})
       and (not ${parameter('without_reblogs')} or s.reblog_of_id is null)
       and (not ${parameter('only_media')} or exists (
         select from media_attachments m where m.status_id = s.id and m.withdrawn_at is null))
       and (not ${parameter('without_direct')} or s.visibility <> 'direct')
       and (${parameter('tag')}::text is null or exists (
         select from status_tags st
         where st.status_id = s.id and st.tag_id = (select id from tags where name = ${parameter('tag')}) offset 0))`
}

/** Returns the parameters of a filter; null if no status can match, because the name of the hashtag is invalid. */
export function accountStatusesParameters(filter: AccountStatusesFilter): AccountStatusesParameters | null {
  const isTagged = filter.tagged !== undefined && filter.tagged !== ''
  const tag = isTagged ? normalizeHashtag(filter.tagged!) : null
  if (isTagged && tag === null) return null
  return {
    without_replies: filter.excludeReplies ?? false,
    without_reblogs: filter.excludeReblogs ?? false,
    without_direct: filter.excludeDirect ?? false,
    only_media: filter.onlyMedia ?? false,
    tag,
  }
}

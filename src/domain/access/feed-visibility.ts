import { blocksDomainOfId } from './user-domain-blocks.ts'
import { createVisibilityFilter } from './find-visible-statuses.ts'

/**
 * Returns an SQL condition over the alias `s` of `statuses`: the viewer does not block or mute the author or the author
 * of the reblogged status, or their domains.
 */
export function isNotBlockedOrMutedBy(viewer: string): string {
  return `not exists (
    select from (values (s.account_id), ((select o.account_id from statuses o where o.id = s.reblog_of_id))) author (id)
    where author.id <> ${viewer}::bigint and (
      exists (select from blocks b where b.account_id = ${viewer}::bigint and b.target_account_id = author.id)
      or exists (select from mutes m where m.account_id = ${viewer}::bigint and m.target_account_id = author.id
        and (m.expires_at is null or m.expires_at > now()))
      or ${blocksDomainOfId(viewer, 'author.id')}))`
}

/** Returns those of the statuses that a feed may show to the viewer, in their order. */
export const findStatusesShownInFeed = createVisibilityFilter(isNotBlockedOrMutedBy)

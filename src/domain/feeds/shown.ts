import { blocksDomainOfId } from '../relationships/domain-blocking.ts'
import { createVisibilityFilter } from '../statuses/keep-visible.ts'

/** Left out of a person's feed: those whom they block or mute, or whose domain they block, as author or as the one who is boosted. */
export function notSilencedBy(viewer: string): string {
  return `not exists (
    select from (values (s.account_id), ((select o.account_id from statuses o where o.id = s.reblog_of_id))) who (id)
    where who.id <> ${viewer}::bigint and (
      exists (select from blocks b where b.account_id = ${viewer}::bigint and b.target_account_id = who.id)
      or exists (select from mutes m where m.account_id = ${viewer}::bigint and m.target_account_id = who.id
        and (m.expires_at is null or m.expires_at > now()))
      or ${blocksDomainOfId(viewer, 'who.id')}))`
}

/** Of these statuses, in their order, those that a feed may show to the viewer. */
export const keepShown = createVisibilityFilter(notSilencedBy('$viewerId'))

import { blocksDomainOfId } from '../relationships/domain-blocking.ts'

/**
 * Whether a person wants to hear of a talk, as SQL: not if one of those who take part is somebody whom they block, mute
 * together with notifications, or whose domain they block, unless they follow them. `viewer`: a parameter or a column
 * with the person's id, `others` an array with the ids of the rest.
 */
export function isWantedTalk(viewer: string, others: string): string {
  return `(not exists (select from blocks b where b.account_id = ${viewer} and b.target_account_id = any(${others}))
    and not exists (select from mutes m where m.account_id = ${viewer} and m.target_account_id = any(${others})
      and m.hide_notifications and (m.expires_at is null or m.expires_at > now()))
    and not exists (select from unnest(${others}) other (id)
      where ${blocksDomainOfId(viewer, 'other.id')} and not exists (
        select from follows f where f.account_id = ${viewer} and f.target_account_id = other.id)))`
}

import { blocksDomainOfId } from './user-domain-blocks.ts'

/**
 * Returns an SQL condition: whether a conversation is shown to a user. It is hidden if the user blocks another
 * participant, mutes one including notifications, or blocks the domain of one without following them. `viewer`: a
 * parameter or column with the user's account id; `others`: an array of the ids of the other participants.
 */
export function isVisibleConversation(viewer: string, others: string): string {
  return `(not exists (select from blocks b where b.account_id = ${viewer} and b.target_account_id = any(${others}))
    and not exists (select from mutes m where m.account_id = ${viewer} and m.target_account_id = any(${others})
      and m.hide_notifications and (m.expires_at is null or m.expires_at > now()))
    and not exists (select from unnest(${others}) other (id)
      where ${blocksDomainOfId(viewer, 'other.id')} and not exists (
        select from follows f where f.account_id = ${viewer} and f.target_account_id = other.id)))`
}

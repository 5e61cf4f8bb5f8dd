import { blocksDomainOf } from './domain-blocking.ts'

/**
 * Whom a viewer does not meet in other people's lists, as SQL over an alias of `accounts`: those whom they block or mute,
 * those whose domain they block, and those who block them. `viewer` is a parameter; null stands for somebody unknown, who
 * meets everybody.
 */
export function unwantedBy(viewer: string, a = 'a'): string {
  return `(${viewer}::bigint is not null and (
    exists (select from blocks b where b.account_id = ${viewer} and b.target_account_id = ${a}.id)
    or exists (select from blocks b where b.account_id = ${a}.id and b.target_account_id = ${viewer})
    or exists (select from mutes m where m.account_id = ${viewer} and m.target_account_id = ${a}.id
      and (m.expires_at is null or m.expires_at > now()))
    or ${blocksDomainOf(viewer, a)}))`
}

import { blocksDomainOf } from './user-domain-blocks.ts'

/**
 * Returns an SQL condition over an alias of `accounts`: whether an account is hidden from a viewer in lists of
 * accounts. The viewer blocks or mutes it or blocks its domain, or it blocks the viewer. `viewer` is a parameter; null
 * stands for an anonymous visitor, from whom no account is hidden.
 */
export function isHiddenFromViewer(viewer: string, a = 'a'): string {
  return `(${viewer}::bigint is not null and (
    exists (select from blocks b where b.account_id = ${viewer} and b.target_account_id = ${a}.id)
    or exists (select from blocks b where b.account_id = ${a}.id and b.target_account_id = ${viewer})
    or exists (select from mutes m where m.account_id = ${viewer} and m.target_account_id = ${a}.id
      and (m.expires_at is null or m.expires_at > now()))
    or ${blocksDomainOf(viewer, a)}))`
}

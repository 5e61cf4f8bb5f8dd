import { visibleTo } from './visibility.ts'

/**
 * Returns an SQL condition: whether an export of an account names a status that the account has saved, over the alias
 * `s` of `statuses`. In addition to the visible statuses, these are the account's own ones, which nobody can see while
 * the account is suspended. `account` is the parameter with the account id.
 */
export function visibleInExport(account: string): string {
  return `(${visibleTo(account)} or (s.account_id = ${account}::bigint and s.deleted_at is null))`
}

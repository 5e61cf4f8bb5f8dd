import { hasPermissionSql } from '../../access/permissions.ts'
import { visibleTo } from '../../access/visibility.ts'

/**
 * SQL condition: a notification `n` is visible to its recipient `viewer`. Its status or sender may have become hidden
 * since: by a block, an unfollow or a suspension. Reports are visible only to users who have the permission now.
 */
export function isVisibleNotification(n: string, viewer = '$accountId'): string {
  return `${isVisibleExceptStatus(n, viewer)}
  and (${n}.status_id is null or exists (select from statuses s where s.id = ${n}.status_id and ${visibleTo(viewer)}))`
}

/** Like `isVisibleNotification`, but without the visibility of its status. */
export function isVisibleExceptStatus(n: string, viewer: string): string {
  return `${n}.account_id = ${viewer}
  and ${hasActiveSender(n)}
  and (${n}.report_id is null or exists (
    select from users u join roles r on r.id = u.role_id
    where u.account_id = ${viewer} and ${hasPermissionSql('manageReports')}))`
}

/** SQL condition: the account that caused the notification is not suspended. */
export function hasActiveSender(n: string): string {
  return `not exists (select from accounts a where a.id = ${n}.from_account_id and a.suspended_at is not null)`
}

/** The notifications that a client requests. */
export interface NotificationFilter {
  /** Only these types; null = all. Unknown types match nothing. */
  types?: readonly string[] | null
  excludedTypes?: readonly string[]
  fromAccountId?: string | null
  /** Whether to include notifications that the policy filters. */
  includeFiltered?: boolean
}

/** The SQL expressions of a filter: parameters or columns. */
interface FilterNames {
  types: string
  excludedTypes: string
  fromAccount: string
  includeFiltered: string
}

/** The SQL parameters whose values `filterParameters` returns. */
export const FILTER_PARAMETERS: FilterNames = {
  types: '$types',
  excludedTypes: '$excludedTypes',
  fromAccount: '$fromAccountId',
  includeFiltered: '$includeFiltered',
}

export interface FilterParameters {
  types: readonly string[] | null
  excludedTypes: readonly string[]
  fromAccountId: string | null
  includeFiltered: boolean
}

/** SQL condition: the notification has one of the requested types. */
export function matchesType(n: string, { types, excludedTypes }: FilterNames): string {
  return `((${types}::text[] is null or ${n}.type = any(${types})) and not ${n}.type = any(${excludedTypes}::text[]))`
}

/** SQL condition: the notification matches the whole filter. */
export function matchesFilter(n: string, names: FilterNames): string {
  const { fromAccount } = names
  return `(${matchesType(n, names)} and (${fromAccount}::bigint is null or ${n}.from_account_id = ${fromAccount})
    and ${matchesPolicy(n, names)})`
}

/** SQL condition: the notification is not filtered by the policy, or the request includes those that are. */
export function matchesPolicy(n: string, { includeFiltered }: FilterNames): string {
  return `(${includeFiltered}::boolean or not ${n}.filtered)`
}

/** Returns the parameters of a statement with a filter. Without a filter, they match all that the policy lets through. */
export function filterParameters({
  types = null,
  excludedTypes = [],
  fromAccountId = null,
  includeFiltered = false,
}: NotificationFilter): FilterParameters {
  return { types, excludedTypes, fromAccountId, includeFiltered }
}

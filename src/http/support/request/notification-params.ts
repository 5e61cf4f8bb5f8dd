import { Type } from 'typebox'
import type { NotificationFilter } from '../../../domain/notifications/read/notification-visibility.ts'
import { isId } from '../../../lib/ids.ts'
import type { PageSize } from '../../../lib/page.ts'

const TypeList = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

/** The query parameters that filter notifications. */
export const NOTIFICATION_FILTER_PARAMS = {
  types: TypeList('Only notifications of these types.'),
  exclude_types: TypeList('No notifications of these types.'),
  account_id: Type.Optional(Type.String({ description: 'Only notifications caused by this account.' })),
}

export const INCLUDE_FILTERED_PARAM = {
  include_filtered: Type.Optional(
    Type.Boolean({ description: 'Also notifications that the notification policy filters.' }),
  ),
}

export const SUPPORTED_TYPES_PARAM = {
  supported_types: TypeList('The types that the client supports. Other types are returned with a fallback.'),
}

export const GROUPED_TYPES_PARAM = { grouped_types: TypeList('Only notifications of these types are grouped.') }

/** Up to which number unread notifications are counted. */
export const UNREAD_COUNT_PAGE: PageSize = { default: 100, max: 1_000 }

export const CountResponse = Type.Object({ count: Type.Integer() })

/** Returns the filter of a query; null if no notification can match it. */
export function readNotificationFilter({
  types,
  exclude_types: excludedTypes = [],
  account_id: fromAccountId = '',
  include_filtered = false,
}: {
  types?: string[]
  exclude_types?: string[]
  account_id?: string
  include_filtered?: boolean
}): Required<NotificationFilter> | null {
  // No account has an invalid id, so no notification matches.
  if (fromAccountId !== '' && !isId(fromAccountId)) return null
  return {
    types: nonBlankNames(types),
    excludedTypes,
    fromAccountId: fromAccountId || null,
    includeFiltered: include_filtered,
  }
}

/** Returns the notification types that the client supports; null if it did not send them. */
export function readSupportedTypes({ supported_types: names }: { supported_types?: string[] }): string[] | null {
  return names ?? null
}

/** Returns the names that are not blank; null if there are none. */
export function nonBlankNames(names: readonly string[] = []): string[] | null {
  const nonBlank = names.filter((name) => name !== '')
  return nonBlank.length > 0 ? nonBlank : null
}

import { Type } from 'typebox'
import type { NotificationChoice } from '../../domain/notifications/shown.ts'
import { isId } from '../../lib/ids.ts'
import type { PageSize } from '../../lib/page.ts'

const Kinds = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))

/** The parameters by which notifications are chosen. */
export const CHOICE = {
  types: Kinds('Only these.'),
  exclude_types: Kinds('Not these.'),
  account_id: Type.Optional(Type.String({ description: 'Only what this account caused.' })),
}

export const FILTERED = {
  include_filtered: Type.Optional(Type.Boolean({ description: 'Also what the notification policy holds back.' })),
}

export const SUPPORTED = {
  supported_types: Kinds('What the client knows: of other types comes what to show instead.'),
}

export const GROUPED = { grouped_types: Kinds('Only these are grouped.') }

/** How far unread ones are counted. */
export const COUNT_LIMIT: PageSize = { default: 100, max: 1_000 }

export const Count = Type.Object({ count: Type.Integer() })

/** What a query asks for; null: nothing that there can be. */
export function readChoice({
  types,
  exclude_types: exceptKinds = [],
  account_id: fromAccountId = '',
  include_filtered: withFiltered = false,
}: {
  types?: string[]
  exclude_types?: string[]
  account_id?: string
  include_filtered?: boolean
}): Required<NotificationChoice> | null {
  // An id that nobody can have asks for the notifications of nobody.
  if (fromAccountId !== '' && !isId(fromAccountId)) return null
  return { kinds: namesOf(types), exceptKinds, fromAccountId: fromAccountId || null, withFiltered }
}

/** The kinds that the client says it knows; null: it does not say. */
export function readSupported({ supported_types: names }: { supported_types?: string[] }): string[] | null {
  return names ?? null
}

/** Blank names are none; none at all is no choice. */
export function namesOf(names: readonly string[] = []): string[] | null {
  const given = names.filter((name) => name !== '')
  return given.length > 0 ? given : null
}

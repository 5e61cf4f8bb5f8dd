import { queryOptions } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminSuggestion } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import type { Action } from '../shared/decisions/use-action.ts'
import { offsetQuery } from '../shared/list/offset-query.ts'

export const SUGGESTION_STATES = ['suggested', 'suppressed'] as const
export type SuggestionState = (typeof SUGGESTION_STATES)[number]

/** A suggestion as a row of a list. The id of the account is its id. */
export type SuggestionRow = AdminSuggestion & { id: string }

/** The accounts that are suggested to all users, or those that the staff have suppressed. */
export const suggestionsQuery = (state: SuggestionState) =>
  offsetQuery(['suggestions', state], async (page) => {
    const suggestions = (await adminApi('suggestions').fetch({ ...page, state })) as AdminSuggestion[]
    return suggestions.map((suggestion): SuggestionRow => ({ ...suggestion, id: suggestion.account.id }))
  })

/** Whether an account is suppressed. */
export const suggestionQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'suggestion', id],
    queryFn: async () => (await adminApi('suggestions', id).fetch()) as AdminSuggestion,
  })

/** Returns the action that suppresses an account, or the one that restores a suppressed account. */
export function suggestionAction({ account: { id, acct }, suppressed }: AdminSuggestion): Action {
  const change = (action: 'suppress' | 'restore') => adminApi('suggestions', id, action).create()
  const name = `@${acct}`
  return {
    run: () => change(suppressed ? 'restore' : 'suppress'),
    done: message(suppressed ? 'web.admin.suggestions.restored' : 'web.admin.suggestions.suppressed-name', { name }),
    undo: () => change(suppressed ? 'suppress' : 'restore'),
  }
}

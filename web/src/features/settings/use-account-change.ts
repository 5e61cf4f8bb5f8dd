import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../lib/session.ts'
import type { CredentialAccount } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { showToast } from '../../ui/notices/toasts.tsx'
import { ownAccountQuery } from '../accounts/own/own-account.ts'
import { reportSaved } from './change-setting.ts'

/** Settings that are part of the account, by their names in the API. */
export interface AccountChange {
  locked?: boolean
  discoverable?: boolean
  indexable?: boolean
  hideCollections?: boolean
  source?: Partial<Pick<CredentialAccount['source'], 'privacy' | 'sensitive' | 'language' | 'quotePolicy'>>
}

/**
 * Returns a function that changes settings of the account. They change on the page at once, and change back if the
 * server refuses. `undo`: the settings before.
 */
export function useAccountChange(): (change: AccountChange, undo: AccountChange) => Promise<void> {
  const queries = useQueryClient()
  const { queryKey } = ownAccountQuery
  const save = async (change: AccountChange): Promise<boolean> => {
    const before = queries.getQueryData(queryKey)
    queries.setQueryData(queryKey, (account) => account && apply(account, change))
    try {
      const saved = await api().v1.accounts.updateCredentials(change)
      queries.setQueryData(queryKey, saved as unknown as CredentialAccount)
      return true
    } catch {
      queries.setQueryData(queryKey, before)
      showToast({
        kind: 'alert',
        text: message('web.settings.failed'),
        action: { label: message('web.retry'), run: () => void save(change) },
      })
      return false
    }
  }
  return async (change, undo) => {
    if (await save(change)) reportSaved(() => void save(undo))
  }
}

function apply(account: CredentialAccount, { source, ...change }: AccountChange): CredentialAccount {
  const { discoverable, indexable, hideCollections } = change
  const shared = Object.fromEntries(
    Object.entries({ discoverable, indexable, hideCollections }).filter(([, value]) => value !== undefined),
  )
  return { ...account, ...change, source: { ...account.source, ...shared, ...source } }
}

import { queryOptions } from '@tanstack/react-query'
import { fetchOrRecall } from '../../../lib/api/recall.ts'
import { api } from '../../../lib/session.ts'
import type { CredentialAccount } from '../../../lib/api/entities.ts'

/** The account of the user, with its preferences and its role. */
export const ownAccountQuery = queryOptions({
  queryKey: ['own-account'],
  queryFn: async () =>
    fetchOrRecall(
      'own-account',
      async () => (await api().v1.accounts.verifyCredentials()) as unknown as CredentialAccount,
    ),
  staleTime: 60_000,
  networkMode: 'always',
})

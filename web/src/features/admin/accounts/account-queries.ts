import { queryOptions } from '@tanstack/react-query'
import { adminApi, adminApiV2 } from '../../../lib/api/admin-api.ts'
import type { AdminAccount } from '../../../lib/api/admin-entities.ts'
import { listQuery } from '../shared/list/list-query.ts'
import { parametersOf } from './account-filters.ts'
import type { AccountFilters } from './account-filters.ts'

export const accountsQuery = (filters: AccountFilters) =>
  listQuery(['accounts', filters], async (page) => {
    return (await adminApiV2('accounts').fetch({ ...page, ...parametersOf(filters) })) as AdminAccount[]
  })

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'account', id],
    queryFn: async () => (await adminApi('accounts', id).fetch()) as AdminAccount,
  })

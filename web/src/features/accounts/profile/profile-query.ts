import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../lib/session.ts'
import type { Profile } from '../../../lib/api/entities.ts'

/** The profile of the user as typed, for editing. */
export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async () => (await api().v1.profile.fetch()) as unknown as Profile,
})

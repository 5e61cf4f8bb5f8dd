import { queryOptions } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminMedia } from '../../../lib/api/admin-entities.ts'

const REFRESH_MS = 2_000

/** The stored files and the cache of remote media, loaded again as long as a purge runs. */
export const mediaQuery = queryOptions({
  queryKey: ['admin', 'media'],
  queryFn: async () => (await adminApi('media').fetch()) as AdminMedia,
  refetchInterval: ({ state }) => (state.data?.purge?.running ? REFRESH_MS : false),
})

/** Which files a purge removes from the cache. */
export interface PurgeOptions {
  /** Days since the last view. */
  days: number
  profiles: boolean
  /** Empty: of all domains. */
  byDomain: string
  keepInteracted: boolean
}

export async function startPurge(options: PurgeOptions): Promise<void> {
  await adminApi('media', 'purge').create(options)
}

import { useQuery } from '@tanstack/react-query'
import type { Status } from '../../../lib/api/entities.ts'
import { api } from '../../../lib/session.ts'
import { useEntity } from '../../../lib/store/use-entity.ts'
import { saveStatus, statusStore } from '../status-store.ts'
import type { StoredStatus } from '../status-store.ts'

/** Returns a status, and loads it if this window does not know it, for example after a reload. */
export function useStatus(id: string | null): StoredStatus | undefined {
  const known = useEntity(statusStore, id ?? '')
  useQuery({
    queryKey: ['status', id],
    queryFn: async () => saveStatus((await api().v1.statuses.$select(id!).fetch()) as unknown as Status),
    enabled: id !== null && known === undefined,
  })
  return known
}

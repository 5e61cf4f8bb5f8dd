import { adminApi } from '../../../../lib/api/admin-api.ts'
import type { AdminReport } from '../../../../lib/api/admin-entities.ts'

/** Returns the ids of the open reports about an account. */
export async function listOpenReports(targetAccountId: string): Promise<string[]> {
  return ((await adminApi('reports').fetch({ targetAccountId })) as AdminReport[]).map(({ id }) => id)
}

import { queryOptions } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminDomainBlockDraft, AdminDomainBlockImport } from '../../../lib/api/admin-entities.ts'
import { sendRequest } from '../../../lib/api/send-request.ts'
import { listQuery } from '../shared/list/list-query.ts'

const REFRESH_MS = 1_000

/** An uploaded list, loaded again as long as its drafts are applied. */
export const importQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'domain-block-import', id],
    queryFn: async () => (await adminApi('domain_block_imports', id).fetch()) as AdminDomainBlockImport,
    refetchInterval: ({ state }) => (state.data?.state === 'applying' ? REFRESH_MS : false),
  })

/** The lists of the last 30 days. */
export const importsQuery = listQuery(
  ['domain-block-imports'],
  async (page) => (await adminApi('domain_block_imports').fetch(page)) as AdminDomainBlockImport[],
)

/** The drafts of an uploaded list. `state`: of the list, whose change changes the drafts. */
export const draftsQuery = ({ id, state }: AdminDomainBlockImport) =>
  listQuery(
    ['domain-block-import', id, 'drafts', state],
    async (page) => (await adminApi('domain_block_imports', id, 'drafts').fetch(page)) as AdminDomainBlockDraft[],
  )

/** Uploads a CSV file as drafts. */
export async function uploadBlockList(file: File): Promise<AdminDomainBlockImport> {
  const body = new FormData()
  body.append('file', file)
  return sendRequest<AdminDomainBlockImport>({ method: 'POST', path: '/api/v1/admin/domain_block_imports', body })
}

/** Applies drafts in the background. `ids` null: all. */
export async function confirmImport(
  id: string,
  { ids, overwrite }: { ids: readonly string[] | null; overwrite: boolean },
): Promise<void> {
  await adminApi('domain_block_imports', id, 'confirm').create({ overwrite, ...(ids && { ids }) })
}

export async function deleteImport(id: string): Promise<void> {
  await adminApi('domain_block_imports', id).remove()
}

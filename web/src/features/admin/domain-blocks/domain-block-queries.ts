import { queryOptions } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminDomainBlock } from '../../../lib/api/admin-entities.ts'
import { listQuery } from '../shared/list/list-query.ts'

/** What is known of a domain, and would be lost with a block (`GET …/domain_blocks/preview`). */
export interface DomainBlockPreview {
  domain: string
  accountsCount: number
  statusesCount: number
  mediaFilesCount: number
  mediaFilesBytes: number
  followingCount: number
  followersCount: number
  usersCount: number
  reportsCount: number
}

/** The fields of a block that can be chosen. */
export type DomainBlockRule = Omit<AdminDomainBlock, 'id' | 'domain' | 'digest' | 'createdAt'>

export const SEVERITIES: readonly DomainBlockRule['severity'][] = ['silence', 'suspend', 'noop']

export const NEW_RULE: DomainBlockRule = {
  severity: 'silence',
  rejectMedia: false,
  rejectReports: false,
  privateComment: null,
  publicComment: null,
  obfuscate: false,
}

export const domainBlocksQuery = listQuery(
  ['domain-blocks'],
  async (page) => (await adminApi('domain_blocks').fetch(page)) as AdminDomainBlock[],
)

export const previewQuery = (domain: string) =>
  queryOptions({
    queryKey: ['admin', 'domain-block-preview', domain],
    queryFn: async () => (await adminApi('domain_blocks', 'preview').fetch({ domain })) as DomainBlockPreview,
    enabled: domain !== '',
    retry: false,
  })

/** Returns the choices of a block, as the API takes them. */
export function ruleOf(block: DomainBlockRule): DomainBlockRule {
  const { severity, rejectMedia, rejectReports, privateComment, publicComment, obfuscate } = block
  return {
    severity,
    rejectMedia,
    rejectReports,
    privateComment: privateComment ?? '',
    publicComment: publicComment ?? '',
    obfuscate,
  }
}

export async function createDomainBlock(domain: string, rule: DomainBlockRule): Promise<AdminDomainBlock> {
  return (await adminApi('domain_blocks').create({ domain, ...ruleOf(rule) })) as AdminDomainBlock
}

export async function updateDomainBlock(id: string, changes: Partial<DomainBlockRule>): Promise<void> {
  await adminApi('domain_blocks', id).update(changes)
}

export async function deleteDomainBlock(id: string): Promise<void> {
  await adminApi('domain_blocks', id).remove()
}

import { writeCsv } from '../../../../lib/text/csv.ts'
import { statement } from '../../../../platform/db/statement.ts'
import type { Read } from '../../../context.ts'
import { listDomainBlocks } from '../../../domain-blocks/list-domain-blocks.ts'
import { BLOCK_LIST_COLUMNS } from './read-block-list.ts'

const listAllows = statement<{ row: { domain: string } }>(`select domain from domain_allows order by domain`)
const listEmailBlocks = statement<{ row: { domain: string; allow_with_approval: boolean } }>(
  `select domain, allow_with_approval from email_domain_blocks order by domain`,
)

/**
 * Returns all domain blocks as CSV in Mastodon's format, without private comments (Mastodon: export of domain blocks).
 */
export async function exportDomainBlocks(read: Read): Promise<string> {
  const blocks = await listDomainBlocks(read)
  return writeCsv([
    BLOCK_LIST_COLUMNS.map((column) => `#${column}`),
    ...blocks.map((block) => [
      block.domain,
      block.severity,
      String(block.rejectMedia),
      String(block.rejectReports),
      block.publicComment,
      String(block.obfuscate),
    ]),
  ])
}

/** Returns all allowed domains as CSV in Mastodon's format (Mastodon: export of domain allows). */
export async function exportDomainAllows(read: Read): Promise<string> {
  return writeCsv([['#domain'], ...(await listAllows(read.db)).map(({ domain }) => [domain])])
}

/** Returns all e-mail domain blocks as CSV. */
export async function exportEmailDomainBlocks(read: Read): Promise<string> {
  const blocks = await listEmailBlocks(read.db)
  return writeCsv([
    ['#domain', '#allow_with_approval'],
    ...blocks.map((block) => [block.domain, String(block.allow_with_approval)]),
  ])
}

import { statement } from '../../../../platform/db/statement.ts'
import { domainsOfAccount } from '../../../access/user-domain-blocks.ts'
import type { Read } from '../../../context.ts'
import { withParents } from '../../../domain-blocks/find-domain-block.ts'
import { listDomainBlocks } from '../../../domain-blocks/list-domain-blocks.ts'
import { decideImport } from './decide-import.ts'
import { readBlockList } from './read-block-list.ts'
import type { BlockListRow } from './read-block-list.ts'

export interface DraftedBlock extends BlockListRow {
  status: 'new' | 'changed' | 'unchanged' | 'invalid'
  /** Whether an existing block is stricter or not comparable. */
  weakens: boolean
  /** Known accounts of the domain and its subdomains. */
  accounts: number
  /** Their follows of and by local users. */
  follows: number
}

// One scan of the accounts for all domains.
const countAffected = statement<{
  params: { domains: readonly string[] }
  row: { domain: string; accounts: number; follows: number }
  notNull: 'domain'
}>(
  `with listed as (select domain from unnest($domains::text[]) domain), affected as materialized (
     select distinct listed.domain, a.id
     from accounts a cross join lateral unnest(${domainsOfAccount('a')}) of_account (domain)
       join listed on listed.domain = of_account.domain
     where a.domain is not null
   ), local_follows as (
     select f.domain from affected f join follows o on o.target_account_id = f.id join accounts a on a.id = o.account_id
     where a.domain is null
     union all
     select f.domain from affected f join follows o on o.account_id = f.id join accounts a on a.id = o.target_account_id
     where a.domain is null
   ), counted as (select domain, count(*)::int as n from local_follows group by domain)
   select f.domain, count(*)::int as accounts, coalesce(max(counted.n), 0) as follows
   from affected f left join counted on counted.domain = f.domain group by f.domain`,
)

/**
 * Reads a list of domain blocks and compares it with the existing blocks, without changing anything.
 * @throws PayloadTooLargeError, UnprocessableError
 */
export async function draftDomainBlocks(read: Read, { text }: { text: string }): Promise<DraftedBlock[]> {
  const { localDomain, webDomain } = read.config
  const rows = readBlockList(text, { ownDomains: [localDomain, webDomain] })
  const existing = new Map((await listDomainBlocks(read)).map((block) => [block.domain, block]))
  const domains = rows.filter((row) => row.error === null).map((row) => row.block.domain)
  const counts = new Map((await countAffected(read.db, { domains })).map((row) => [row.domain, row]))
  return rows.map((row) => {
    if (row.error !== null) return { ...row, status: 'invalid', weakens: false, accounts: 0, follows: 0 }
    const { block } = row
    const own = existing.get(block.domain) ?? null
    const nearest = withParents(block.domain).flatMap((domain) => existing.get(domain) ?? [])[0] ?? null
    const decision = decideImport({ block, own, nearest, overwrite: false })
    const { accounts = 0, follows = 0 } = counts.get(block.domain) ?? {}
    const status = decision === 'none' ? 'unchanged' : own ? 'changed' : 'new'
    return { ...row, status, weakens: decision === 'skip', accounts, follows }
  })
}

import type { Page } from '../../../lib/page.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { parseDomain } from '../../domain-blocks/parse-domain.ts'
import { belongsToDomain } from '../../access/user-domain-blocks.ts'

interface BlockedDomain {
  cursor: string
  domain: string
}

const keyset = keysetClause('d.id')
const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: BlockedDomain }>(
    `select d.id as cursor, d.domain from account_domain_blocks d where d.account_id = $accountId
      and ${keyset.where} ${order}`,
  )
const descending = select(keyset.descending)
const ascending = select(keyset.ascending)

/** Returns a page of the domains that a user blocks, latest block first. */
export async function listBlockedDomains(
  read: Read,
  { accountId, page: requested }: { accountId: string; page: Page },
): Promise<BlockedDomain[]> {
  const values = { accountId, ...pageParameters(requested) }
  return readKeysetPage(requested, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
}

interface DomainFollows {
  following: number
  followers: number
}

const count = statement<{ params: { accountId: string; domain: string }; row: DomainFollows }>(
  `select
     (select count(*)::int from follows f where f.account_id = $accountId
       and ${belongsToDomain('f.target_account_id', '$domain')}) as following,
     (select count(*)::int from follows f where f.target_account_id = $accountId
       and ${belongsToDomain('f.account_id', '$domain')}) as followers`,
)

/**
 * Returns how many follows in each direction a block of the domain would end (Mastodon: GET
 * /api/v1/domain_blocks/preview).
 * @throws ValidationError
 */
export async function countDomainFollows(
  read: Read,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<DomainFollows> {
  const [row] = await count(read.db, { accountId, domain: parseDomain(domain) })
  return row!
}

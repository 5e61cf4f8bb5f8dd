import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'
import { readDomain } from './block-domain.ts'
import { isOfDomain } from './domain-blocking.ts'

interface BlockedDomain {
  cursor: string
  domain: string
}

const page = pageClause('d.id')
const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: BlockedDomain }>(
    `select d.id as cursor, d.domain from account_domain_blocks d where d.account_id = $accountId
      and ${page.where} ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** The domains that somebody blocks, latest first. */
export async function readBlockedDomains(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<BlockedDomain[]> {
  const values = { accountId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}

interface DomainFollows {
  following: number
  followers: number
}

const count = statement<{ params: { accountId: string; domain: string }; row: DomainFollows }>(
  `select
     (select count(*)::int from follows f where f.account_id = $accountId
       and ${isOfDomain('f.target_account_id', '$domain')}) as following,
     (select count(*)::int from follows f where f.target_account_id = $accountId
       and ${isOfDomain('f.account_id', '$domain')}) as followers`,
)

/** How many follows, to there and from there, the block of a domain would end. @throws ValidationFailed */
export async function countDomainFollows(
  read: Read,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<DomainFollows> {
  const [row] = await count(read.db, { accountId, domain: readDomain(domain) })
  return row!
}

import type { Page } from '../../lib/page.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Listed } from '../accounts/listed.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Read } from '../context.ts'
import { pageClause, pageParameters, readPaged } from '../feeds/page.ts'
import type { PageParameters } from '../feeds/page.ts'

const page = pageClause('r.id')

interface MutedRow extends Listed {
  expires_at: Date | null
}

const select = (order: string) =>
  statement<{ params: { accountId: string } & PageParameters; row: MutedRow }>(
    `select r.id as cursor, a.id, r.expires_at
     from mutes r join accounts a on a.id = r.target_account_id left join users u on u.account_id = a.id
     where r.account_id = $accountId and ${page.where} and ${usableAccount()} and (r.expires_at is null
       or r.expires_at > now())
     ${order}`,
  )
const newest = select(page.descending)
const upwards = select(page.ascending)

/** Those whom somebody mutes, latest first, with the moment when that ends. */
export async function readMuted(
  read: Read,
  { accountId, page: asked }: { accountId: string; page: Page },
): Promise<MutedRow[]> {
  const values = { accountId, ...pageParameters(asked) }
  return readPaged(asked, {
    descending: () => newest(read.db, values),
    ascending: () => upwards(read.db, values),
  })
}

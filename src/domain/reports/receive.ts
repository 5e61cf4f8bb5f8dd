import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../accounts/usable.ts'
import { collectionUri } from '../collections/addresses.ts'
import type { Tx } from '../context.ts'
import { insertReport } from './insert.ts'

/** So many people one activity may be about. */
const MAX_TARGETS = 10

// The reporter is usually the instance actor, so it may report whatever an account of its server may read.
const holdStatuses = statement<{
  params: { objects: readonly string[]; domain: string }
  row: { id: string; account_id: string; answers_local: boolean }
}>(
  `select s.id, s.account_id,
     exists (select from accounts o where o.id = s.in_reply_to_account_id and o.domain is null) as answers_local
   from statuses s where s.uri = any($objects::text[]) and s.deleted_at is null and not s.local_only
     and (s.visibility in ('public', 'unlisted')
       or s.visibility = 'private' and exists (
         select from follows f join accounts reader on reader.id = f.account_id
         where f.target_account_id = s.account_id and reader.domain = $domain)
       or exists (
         select from mentions m join accounts reader on reader.id = m.account_id
         where m.status_id = s.id and reader.domain = $domain))
   order by s.id for key share of s`,
)
const findAccounts = statement<{
  params: { uris: readonly string[]; ids: readonly string[] }
  row: { id: string; domain: string | null }
}>(
  `select a.id, a.domain from accounts a left join users u on u.account_id = a.id
   where (a.uri = any($uris::text[]) or a.id = any($ids::bigint[])) and ${usableAccount()} order by a.id`,
)

const findCollections = statement<{
  params: { objects: readonly string[]; targetAccountId: string }
  row: { id: string }
}>(
  `select c.id from collections c join accounts o on o.id = c.account_id
   where c.account_id = $targetAccountId and ${collectionUri()} = any($objects::text[]) order by c.id`,
)

/**
 * Takes in that another server tells of somebody: of people here, and of people elsewhere whose reported posts answer
 * people here. One report for each whom it names, with what they wrote; where it names nobody, it is about whoever
 * wrote the posts. Again it does nothing.
 */
export async function receiveReport(
  tx: Tx,
  {
    accountId,
    domain,
    uri,
    objects,
    comment,
  }: {
    accountId: string
    /** Of who tells. */
    domain: string
    uri: string
    /** The addresses of accounts, statuses and collections. */
    objects: readonly string[]
    comment: string
  },
): Promise<void> {
  const statuses = await holdStatuses(tx.db, { objects, domain })
  let accounts = await findAccounts(tx.db, { uris: objects, ids: [] })
  if (accounts.length === 0)
    accounts = await findAccounts(tx.db, { uris: [], ids: statuses.map((one) => one.account_id) })
  const theirs = (id: string) => statuses.filter((one) => one.account_id === id)
  const targets = accounts.filter(
    (one) => one.domain === null || theirs(one.id).some(({ answers_local }) => answers_local),
  )
  for (const { id: targetAccountId } of targets.slice(0, MAX_TARGETS)) {
    const statusIds = theirs(targetAccountId).map((one) => one.id)
    const collectionIds = (await findCollections(tx.db, { objects, targetAccountId })).map((one) => one.id)
    const made = { accountId, targetAccountId, statusIds, collectionIds, comment, category: 'other', uri } as const
    const reportId = await insertReport(tx, made)
    if (reportId !== null) tx.emit('report.made', { reportId, forwardTo: [] })
  }
}

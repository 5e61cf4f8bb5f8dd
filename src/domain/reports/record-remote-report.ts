import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../access/usable-account.ts'
import { collectionUri } from '../collections/collection-uris.ts'
import type { Tx } from '../context.ts'
import { insertReport } from './insert-report.ts'

/** How many accounts one activity may report. */
const MAX_TARGETS = 10

// The reporter is usually the instance actor, so it may report whatever an account of its server may read.
const lockStatuses = statement<{
  params: { objects: readonly string[]; domain: string }
  row: { id: string; account_id: string; is_reply_to_local: boolean }
}>(
  `select s.id, s.account_id,
     exists (select from accounts o where o.id = s.in_reply_to_account_id and o.domain is null) as is_reply_to_local
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
 * Records a Flag activity of another server. Accepts reports about local accounts, and about remote accounts whose
 * reported statuses reply to local accounts. Creates one report for each reported account, with its reported statuses;
 * if the activity names no account, for each author of the statuses. Repeating it does nothing.
 */
export async function recordRemoteReport(
  tx: Tx,
  {
    accountId,
    domain,
    uri,
    objects,
    comment,
  }: {
    accountId: string
    /** The domain of the reporting server. */
    domain: string
    uri: string
    /** The URIs of the reported accounts, statuses and collections. */
    objects: readonly string[]
    comment: string
  },
): Promise<void> {
  const statuses = await lockStatuses(tx.db, { objects, domain })
  let accounts = await findAccounts(tx.db, { uris: objects, ids: [] })
  if (accounts.length === 0)
    accounts = await findAccounts(tx.db, { uris: [], ids: statuses.map((status) => status.account_id) })
  const statusesOf = (id: string) => statuses.filter((status) => status.account_id === id)
  const targets = accounts.filter(
    (account) => account.domain === null || statusesOf(account.id).some(({ is_reply_to_local }) => is_reply_to_local),
  )
  for (const { id: targetAccountId } of targets.slice(0, MAX_TARGETS)) {
    const statusIds = statusesOf(targetAccountId).map(({ id }) => id)
    const collectionIds = (await findCollections(tx.db, { objects, targetAccountId })).map(({ id }) => id)
    const report = { accountId, targetAccountId, statusIds, collectionIds, comment, category: 'other', uri } as const
    const reportId = await insertReport(tx, report)
    if (reportId !== null) tx.emit('report.created', { reportId, forwardTo: [] })
  }
}

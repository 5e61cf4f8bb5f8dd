import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { findFewAccounts } from '../../domain-blocks/find-few-accounts.ts'
import { isHostSuspended } from '../../domain-blocks/suspended-host.ts'
import type { NotificationType } from '../../notifications/create/notification-types.ts'
import { ENDED_FOLLOWS, recordEndedFollows } from '../severances/record-ended-follows.ts'
import type { EndedFollow } from '../severances/record-ended-follows.ts'
import { storeSeveredFollows } from '../severances/store-severed-follows.ts'
import { isOfDomain } from '../../access/user-domain-blocks.ts'
import { deletingFollows } from '../follows/deleting-follows.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'
import { writeInBatches } from '../../core/write-in-batches.ts'

/** The number of rows that one transaction examines, whether or not it deletes any of them. */
const BATCH_SIZE = 2_000

/** The rows of a domain with so many accounts are found by them, of one with more by reading all rows. */
const FEW_ACCOUNTS = 500

type Table = 'follows' | 'follow_requests'
interface RelationshipRow {
  id: string
  account_id: string
  target_account_id: string
}
type FoundRow = { last: string | null } & { [Key in keyof RelationshipRow]: string | null }

const findSuspension = statement<{ params: { domain: string }; row: { id: string } }>(
  `select id from domain_blocks where domain = $domain and severity = 'suspend' for share`,
)
const isSuspended = (a: string) =>
  `${isOfDomain(a, '$domain')}
    and (${isHostSuspended(`${a}.domain`)} or ${isHostSuspended(`split_part(lower(${a}.uri), '/', 3)`)})`
// `last` is the last examined id, also for a batch without a row of the domain. With `offset 0` the accounts of the
// batch are looked up: the planner would otherwise read all accounts for each batch.
const OF_BATCH = `of_domain as (
     select l.* from batch l
       cross join lateral (select domain, uri from accounts where id = l.account_id offset 0) f
       cross join lateral (select domain, uri from accounts where id = l.target_account_id offset 0) t
     where (${isSuspended('f')}) or (${isSuspended('t')})
   )
   select (select max(id) from batch) as last, of_domain.* from (select) single left join of_domain on true`
// Reads the whole table in batches by id.
const findNext = (table: Table) =>
  statement<{ params: { after: string; domain: string }; row: FoundRow }>(
    `with batch as (
       select id, account_id, target_account_id from ${table} where id > $after order by id limit ${BATCH_SIZE}
     ), ${OF_BATCH}`,
  )
// With `offset 0` only the indexes of the accounts are read, not also that of the ids.
const findNextOfAccounts = (table: Table) =>
  statement<{ params: { after: string; domain: string; ids: readonly string[] }; row: FoundRow }>(
    `with batch as (
       select * from (
         select id, account_id, target_account_id from ${table} where account_id = any($ids::bigint[])
         union
         select id, account_id, target_account_id from ${table} where target_account_id = any($ids::bigint[])
         offset 0) of_accounts
       where id > $after order by id limit ${BATCH_SIZE}
     ), ${OF_BATCH}`,
  )

interface EndedRelationship {
  account_id: string
  target_account_id: string
}

// The follows by local users can be restored, if the block is removed soon.
const endFollows = statement<{ params: { ids: readonly string[]; now: Date }; row: EndedFollow }>(
  `${deletingFollows({ where: 'id = any($ids::bigint[])', columns: 'follows.*' })}, stored as (
     ${storeSeveredFollows('ended')}
   )
   ${ENDED_FOLLOWS}`,
)
const endRequests = statement<{ params: { ids: readonly string[] }; row: EndedRelationship }>(
  `delete from follow_requests where id = any($ids::bigint[]) returning account_id, target_account_id`,
)
// A separate statement, because its snapshot includes notifications written while the previous statement waited.
const removeNotificationRows = statement<{
  params: { accountIds: readonly string[]; targetAccountIds: readonly string[]; kind: string }
}>(
  `delete from notifications n using unnest($accountIds::bigint[], $targetAccountIds::bigint[]) ended (account_id,
    target_account_id)
   where n.account_id = ended.target_account_id and n.from_account_id = ended.account_id and n.type = $kind`,
)
const tables = [
  { find: findNext('follows'), findOfAccounts: findNextOfAccounts('follows'), end: endAndRecordFollows },
  {
    find: findNext('follow_requests'),
    findOfAccounts: findNextOfAccounts('follow_requests'),
    end: endFollowRequests,
  },
]

/**
 * Effect: deletes the follows and follow requests, in both directions, between local accounts and the accounts of a
 * domain that has been suspended. Local users who lose follows are notified. Sends nothing to the domain.
 */
export async function severSuspendedDomain(ctx: Ctx, { domain, at }: { domain: string; at: number }): Promise<void> {
  const few = await findFewAccounts(ctx, { domain, max: FEW_ACCOUNTS })
  for (const { find, findOfAccounts, end } of tables) {
    await writeInBatches(ctx, async (tx, after) => {
      const [block] = await findSuspension(tx.db, { domain })
      if (!block) return null
      const rows = await (few ? findOfAccounts(tx.db, { after, domain, ids: few }) : find(tx.db, { after, domain }))
      const pairs = rows.filter((row): row is RelationshipRow & typeof row => row.id !== null)
      if (pairs.length > 0) {
        await lockAccounts(tx, { ids: pairs.flatMap((pair) => [pair.account_id, pair.target_account_id]) })
        await end(tx, { ids: pairs.map(({ id }) => id), domain, cause: `domain_block:${block.id}:${at}` })
      }
      return rows[0]?.last ?? null
    })
  }
}

async function endFollowRequests(tx: Tx, { ids }: { ids: readonly string[] }): Promise<void> {
  await removeNotifications(tx, { ended: await endRequests(tx.db, { ids }), kind: 'follow_request' })
}

async function removeNotifications(
  tx: Tx,
  { ended, kind }: { ended: readonly EndedRelationship[]; kind: NotificationType },
): Promise<void> {
  await removeNotificationRows(tx.db, {
    accountIds: ended.map((one) => one.account_id),
    targetAccountIds: ended.map((one) => one.target_account_id),
    kind,
  })
}

async function endAndRecordFollows(
  tx: Tx,
  { ids, domain, cause }: { ids: readonly string[]; domain: string; cause: string },
): Promise<void> {
  const ended = await endFollows(tx.db, { ids, now: tx.now })
  await removeNotifications(tx, { ended, kind: 'follow' })
  await recordEndedFollows(tx, { ended, domain, cause })
}

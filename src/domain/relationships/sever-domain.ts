import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { suspendedHost } from '../moderation/suspended-host.ts'
import type { NotificationKind } from '../notifications/kinds.ts'
import { recordSeverances } from '../notifications/severances.ts'
import { domainsOf } from './domain-blocking.ts'
import { endingFollows } from './end-follows.ts'
import { lockAccounts } from './lock-accounts.ts'

/** So many follows are looked at in one transaction, whether any of them end or not. */
const LOOKED_AT = 2_000

interface Pair {
  id: string
  account_id: string
  target_account_id: string
}

const findRule = statement<{ params: { domain: string }; row: { id: string } }>(
  `select id from domain_blocks where domain = $domain and severity = 'suspend' for share`,
)
const isSuspended = (a: string) =>
  `${a}.domain is not null and $domain = any(${domainsOf(a)})
    and (${suspendedHost(`${a}.domain`)} or ${suspendedHost(`split_part(lower(${a}.uri), '/', 3)`)})`
// $after after which id, $domain the domain
const findNext = (table: 'follows' | 'follow_requests') =>
  statement<{
    params: { after: string; domain: string }
    row: { last: string | null } & { [Key in keyof Pair]: string | null }
  }>(
    `with looked_at as (
       select id, account_id, target_account_id from ${table} where id > $after order by id limit ${LOOKED_AT}
     ), of_domain as (
       select l.* from looked_at l join accounts f on f.id = l.account_id join accounts t on t.id = l.target_account_id
       where (${isSuspended('f')}) or (${isSuspended('t')})
     )
     select (select max(id) from looked_at) as last, of_domain.* from (select) one left join of_domain on true`,
  )

interface Ended {
  account_id: string
  target_account_id: string
}

interface EndedFollow extends Ended {
  follower_is_here: boolean
}

const endFollows = statement<{ params: { ids: readonly string[] }; row: EndedFollow }>(
  `${endingFollows({ which: 'id = any($ids::bigint[])', columns: 'account_id, target_account_id' })}
   select ended.account_id, ended.target_account_id, follower.domain is null as follower_is_here
   from ended join accounts follower on follower.id = ended.account_id`,
)
const endRequests = statement<{ params: { ids: readonly string[] }; row: Ended }>(
  `delete from follow_requests where id = any($ids::bigint[]) returning account_id, target_account_id`,
)
// A statement of its own, which sees what was written while the one before it waited. $after who followed or asked, $domain whom
const withdraw = statement<{
  params: { accountIds: readonly string[]; targetAccountIds: readonly string[]; kind: string }
}>(
  `delete from notifications n using unnest($accountIds::bigint[], $targetAccountIds::bigint[]) ended (account_id,
    target_account_id)
   where n.account_id = ended.target_account_id and n.from_account_id = ended.account_id and n.type = $kind`,
)
const tables = [
  { find: findNext('follows'), end: partAndTell },
  { find: findNext('follow_requests'), end: dropRequests },
]

/**
 * Effect: nobody here follows anybody of a server that has been suspended, nor the other way round, and requests go.
 * Whoever loses follows by it is told how many. Nothing is sent there.
 */
export async function severDomain(ctx: Ctx, { domain, at }: { domain: string; at: number }): Promise<void> {
  for (const { find, end } of tables) {
    let after: string | null = '0'
    while (after !== null) {
      const from: string = after
      after = await ctx.write<string | null>(async (tx) => {
        const [rule] = await findRule(tx.db, { domain })
        if (!rule) return null
        const rows = await find(tx.db, { after: from, domain })
        const pairs = rows.filter((row): row is Pair & typeof row => row.id !== null)
        if (pairs.length > 0) {
          await lockAccounts(tx, { ids: pairs.flatMap((pair) => [pair.account_id, pair.target_account_id]) })
          await end(tx, { ids: pairs.map(({ id }) => id), domain, cause: `domain_block:${rule.id}:${at}` })
        }
        return rows[0]?.last ?? null
      })
    }
  }
}

async function dropRequests(tx: Tx, { ids }: { ids: readonly string[] }): Promise<void> {
  await withdrawAll(tx, { ended: await endRequests(tx.db, { ids }), kind: 'follow_request' })
}

async function withdrawAll(
  tx: Tx,
  { ended, kind }: { ended: readonly Ended[]; kind: NotificationKind },
): Promise<void> {
  await withdraw(tx.db, {
    accountIds: ended.map((one) => one.account_id),
    targetAccountIds: ended.map((one) => one.target_account_id),
    kind,
  })
}

async function partAndTell(
  tx: Tx,
  { ids, domain, cause }: { ids: readonly string[]; domain: string; cause: string },
): Promise<void> {
  const ended = await endFollows(tx.db, { ids })
  await withdrawAll(tx, { ended, kind: 'follow' })
  const losses = new Map<string, { accountId: string; followers: number; following: number }>()
  for (const { account_id: accountId, target_account_id: targetAccountId, follower_is_here: here } of ended) {
    const loser = here ? accountId : targetAccountId
    const loss = losses.get(loser) ?? { accountId: loser, followers: 0, following: 0 }
    losses.set(loser, loss)
    loss[here ? 'following' : 'followers'] += 1
    if (here) tx.emit('account.unfollowed', { accountId, targetAccountId, uri: null })
  }
  await recordSeverances(tx, { type: 'domain_block', targetName: domain, cause, losses: [...losses.values()] })
}

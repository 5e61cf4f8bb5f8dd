import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { lockNotifications } from '../../core/lock-notifications.ts'
import { parseDomain } from '../../domain-blocks/parse-domain.ts'
import { recordSeverances } from '../severances/record-severances.ts'
import { belongsToDomain, domainsOfAccount } from '../../access/user-domain-blocks.ts'
import { endFollowsBetween } from '../follows/end-follows-between.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

/**
 * The maximum number of relationships of each kind, and of notifications, that one transaction examines, whether or not
 * the other account is of the domain.
 */
const BATCH_SIZE = 1_000

const insert = statement<{ params: { accountId: string; domain: string; now: Date }; row: { id: string } }>(
  `insert into account_domain_blocks (account_id, domain, created_at) values ($accountId, $domain, $now)
   on conflict (account_id, domain) do nothing returning id`,
)
const insertMany = statement<{
  params: { accountId: string; domains: readonly string[]; now: Date }
  row: { domain: string }
}>(
  `insert into account_domain_blocks (account_id, domain, created_at)
   select $accountId, domain, $now from unnest($domains::text[]) with ordinality as d (domain, position) order by position
   on conflict (account_id, domain) do nothing returning domain`,
)
const findBlock = statement<{ params: { accountId: string; domain: string }; row: { id: string } }>(
  `select id from account_domain_blocks where account_id = $accountId and domain = $domain for key share`,
)
const RELATED = `(
     select target_account_id as id from follows where account_id = $accountId
     union select account_id from follows where target_account_id = $accountId
     union select target_account_id from follow_requests where account_id = $accountId
     union select account_id from follow_requests where target_account_id = $accountId
   ) other`

/** The kinds of relationships. Those of an account are read in the order of the column `key`. */
const KINDS = {
  following: { table: 'follows', own: 'account_id', other: 'target_account_id', key: 'target_account_id' },
  followers: { table: 'follows', own: 'target_account_id', other: 'account_id', key: 'id' },
  requested: { table: 'follow_requests', own: 'account_id', other: 'target_account_id', key: 'target_account_id' },
  requesters: { table: 'follow_requests', own: 'target_account_id', other: 'account_id', key: 'id' },
} as const
type Kind = keyof typeof KINDS

/** For each kind, the key of the last examined relationship; null: all have been examined. */
type Progress = Record<Kind, string | null>

const START: Progress = { following: '0', followers: '0', requested: '0', requesters: '0' }

const examineKind = (kind: Kind) => {
  const { table, own, other, key } = KINDS[kind]
  return `select '${kind}' as kind, case when count(*) = ${BATCH_SIZE} then max(key) end as last,
     coalesce(array_agg(other) filter (where ${belongsToDomain('other', '$domain')}), '{}') as ids
   from (select ${other} as other, ${key} as key from ${table} where ${own} = $accountId and ${key} > $${kind}
     order by ${key} limit ${BATCH_SIZE}) batch`
}
const examineRelationships = statement<{
  params: { accountId: string; domain: string } & Progress
  row: { kind: Kind; last: string | null; ids: string[] }
}>((['following', 'followers', 'requested', 'requesters'] as const).map(examineKind).join(' union all '))

const findRelatedDomains = statement<{
  params: { accountId: string; domains: readonly string[] }
  row: { domain: string }
  notNull: 'domain'
}>(
  // Tens of thousands of accounts belong to far fewer hosts.
  `select distinct host.domain
   from (
     select distinct a.domain, 'https://' || split_part(lower(a.uri), '/', 3) as uri
     from ${RELATED} join accounts a on a.id = other.id and a.domain is not null
   ) server, unnest(${domainsOfAccount('server')}) as host (domain)
   where host.domain = any($domains::text[])`,
)
// With the permissions that the user gave by accepting notification requests, which an unblock does not restore.
const deletingNotifications = (isFromDomain: string) =>
  `with revoked as (delete from notification_permissions n where n.account_id = $accountId and ${isFromDomain})
   delete from notifications n where n.account_id = $accountId and ${isFromDomain}`
const removeNotificationsOfMany = statement<{ params: { accountId: string; domains: readonly string[] } }>(
  deletingNotifications(`exists (
     select from accounts a where a.id = n.from_account_id and a.domain is not null
       and ${domainsOfAccount('a')} && $domains::text[] offset 0)`),
)
const revokePermissions = statement<{ params: { accountId: string; domain: string } }>(
  `delete from notification_permissions n where n.account_id = $accountId
     and ${belongsToDomain('n.from_account_id', '$domain')}`,
)
const removeNotifications = statement<{
  params: { accountId: string; domain: string; before: string }
  row: { last: string | null }
}>(
  `with examined as materialized (
     select id, from_account_id from notifications where account_id = $accountId and id < $before
     order by id desc limit ${BATCH_SIZE}
   ), removed as (
     delete from notifications n using examined e
     where n.id = e.id and ${belongsToDomain('e.from_account_id', '$domain')}
   )
   select case when count(*) = ${BATCH_SIZE} then min(id) end as last from examined`,
)
const HIGHEST_ID = '9223372036854775807'

/**
 * Blocks a domain and its subdomains for one user (Mastodon: POST /api/v1/domain_blocks). Accounts of the domain cannot
 * follow the user or be followed by the user, cause no notifications and are absent from the user's timelines. Ends
 * follows and follow requests in both directions, which the remote servers are notified of, and deletes notifications
 * from these accounts and the permissions to cause them despite the policy. Does nothing if the user blocks the domain
 * already.
 * @throws ValidationError
 */
export async function blockDomain(
  tx: Tx,
  { accountId, domain: typed }: { accountId: string; domain: string },
): Promise<void> {
  const domain = parseDomain(typed)
  const { ids } = await lockRelatedAccounts(tx, { accountId, domain, after: START })
  const [inserted] = await insert(tx.db, { accountId, domain, now: tx.now })
  if (!inserted) return
  await severRelationships(tx, { accountId, otherIds: ids, block: { id: inserted.id, domain } })
  await lockNotifications(tx, { accountId })
  await revokePermissions(tx.db, { accountId, domain })
  const [examined] = await removeNotifications(tx.db, { accountId, domain, before: HIGHEST_ID })
  tx.emit('user_domain_block.created', { accountId, domain, notificationsBefore: examined!.last })
}

/**
 * Blocks many domains for one user, as `blockDomain` does. Only domains with relationships to the user need statements
 * of their own. `domains`: canonical.
 */
export async function blockDomains(
  tx: Tx,
  { accountId, domains }: { accountId: string; domains: readonly string[] },
): Promise<void> {
  const related = new Set((await findRelatedDomains(tx.db, { accountId, domains })).map((row) => row.domain))
  for (const domain of related) await blockDomain(tx, { accountId, domain })
  const others = domains.filter((domain) => !related.has(domain))
  const inserted = (await insertMany(tx.db, { accountId, domains: others, now: tx.now })).map((row) => row.domain)
  if (inserted.length === 0) return
  await lockNotifications(tx, { accountId })
  await removeNotificationsOfMany(tx.db, { accountId, domains: inserted })
  tx.emit('user_domain_block.many_created', { accountId, domains: inserted })
}

/**
 * Effect: ends the remaining relationships between a user and a domain that the user blocks: those that exceed the
 * batch of the transaction that blocked the domain, and those created concurrently with it. Deletes the notifications
 * from the domain before an id; null: the transaction has deleted all.
 */
export async function severUserDomainBlock(
  ctx: Ctx,
  {
    accountId,
    domain,
    notificationsBefore = null,
  }: { accountId: string; domain: string; notificationsBefore?: string | null },
): Promise<void> {
  let after: Progress | null = START
  while (after !== null) {
    const from: Progress = after
    after = await ctx.write(async (tx) => {
      const { ids, progress } = await lockRelatedAccounts(tx, { accountId, domain, after: from })
      if (ids.length > 0) {
        const [block] = await findBlock(tx.db, { accountId, domain })
        if (!block) return null
        await severRelationships(tx, { accountId, otherIds: ids, block: { id: block.id, domain } })
      }
      return progress
    })
  }
  let before = notificationsBefore
  while (before !== null) {
    const from: string = before
    before = await ctx.write(async (tx) => {
      const [block] = await findBlock(tx.db, { accountId, domain })
      if (!block) return null
      const [examined] = await removeNotifications(tx.db, { accountId, domain, before: from })
      return examined!.last
    })
  }
}

/**
 * Effect: ends the relationships between a user and many domains that the user blocks. Only those created concurrently
 * with the blocks are left, so most domains have none, and are not examined one by one.
 */
export async function severUserDomainBlocks(
  ctx: Ctx,
  { accountId, domains }: { accountId: string; domains: readonly string[] },
): Promise<void> {
  for (const { domain } of await findRelatedDomains(ctx.db, { accountId, domains })) {
    await severUserDomainBlock(ctx, { accountId, domain })
  }
}

/**
 * Examines a batch of the user's relationships. Finds and locks the domain's accounts that follow or request to follow
 * the user, or vice versa. Returns their ids, and the progress; null: this was the last batch.
 */
async function lockRelatedAccounts(
  tx: Tx,
  { accountId, domain, after }: { accountId: string; domain: string; after: Progress },
): Promise<{ ids: readonly string[]; progress: Progress | null }> {
  const rows = await examineRelationships(tx.db, { accountId, domain, ...after })
  const ids = [...new Set(rows.flatMap((row) => row.ids))]
  await lockAccounts(tx, { ids: [accountId, ...ids] })
  const progress: Progress = { ...after }
  for (const { kind, last } of rows) progress[kind] = last
  return { ids, progress: Object.values(progress).some((last) => last !== null) ? progress : null }
}

async function severRelationships(
  tx: Tx,
  {
    accountId,
    otherIds: relatedIds,
    block,
  }: { accountId: string; otherIds: readonly string[]; block: { id: string; domain: string } },
): Promise<void> {
  if (relatedIds.length === 0) return
  const { follows, requests } = await endFollowsBetween(tx, { accountId, otherIds: relatedIds })
  await recordSeverances(tx, {
    type: 'user_domain_block',
    targetName: block.domain,
    cause: `user_domain_block:${block.id}`,
    follows: follows.map(({ accountId: followerId, targetAccountId, showReblogs, notify, languages }) => {
      const isFollower = followerId !== accountId
      return {
        accountId,
        otherId: isFollower ? followerId : targetAccountId,
        isFollower,
        showReblogs,
        notify,
        languages,
      }
    }),
  })
  for (const { isFromRemote, accountId: followerId, targetAccountId, uri } of [...follows, ...requests]) {
    const ended = { accountId: followerId, targetAccountId, uri }
    tx.emit(isFromRemote ? 'follow.rejected' : 'account.unfollowed', ended)
  }
}

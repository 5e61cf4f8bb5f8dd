import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { lockNotifications } from '../../core/lock-notifications.ts'
import { parseDomain } from '../../domain-blocks/parse-domain.ts'
import { recordSeverances } from '../severances/record-severances.ts'
import { belongsToDomain, domainsOfAccount } from '../../access/user-domain-blocks.ts'
import { endFollowsBetween } from '../follows/end-follows-between.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

/** The maximum number of accounts whose relationships one transaction ends. */
const BATCH_SIZE = 500

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
const findRelatedAccounts = statement<{ params: { accountId: string; domain: string }; row: { id: string } }>(
  `select other.id from ${RELATED} where ${belongsToDomain('other.id', '$domain')} limit ${BATCH_SIZE}`,
)

const findRelatedDomains = statement<{
  params: { accountId: string; domains: readonly string[] }
  row: { domain: string }
  notNull: 'domain'
}>(
  `select distinct host.domain from ${RELATED} join accounts a on a.id = other.id and a.domain is not null,
     unnest(${domainsOfAccount('a')}) as host (domain)
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
const removeNotifications = statement<{ params: { accountId: string; domain: string } }>(
  deletingNotifications(belongsToDomain('n.from_account_id', '$domain')),
)

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
  const relatedIds = await lockRelatedAccounts(tx, { accountId, domain })
  const [inserted] = await insert(tx.db, { accountId, domain, now: tx.now })
  if (!inserted) return
  await severRelationships(tx, { accountId, otherIds: relatedIds, block: { id: inserted.id, domain } })
  await lockNotifications(tx, { accountId })
  await removeNotifications(tx.db, { accountId, domain })
  tx.emit('user_domain_block.created', { accountId, domain })
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
  for (const domain of inserted) tx.emit('user_domain_block.created', { accountId, domain })
}

/**
 * Effect: ends the remaining relationships between a user and a domain that the user blocks: those that exceed the
 * batch of the transaction that blocked the domain, and those created concurrently with it.
 */
export async function severUserDomainBlock(
  ctx: Ctx,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<void> {
  let more = true
  while (more) {
    more = await ctx.write(async (tx) => {
      const relatedIds = await lockRelatedAccounts(tx, { accountId, domain })
      const [block] = relatedIds.length === 0 ? [] : await findBlock(tx.db, { accountId, domain })
      if (!block) return false
      await severRelationships(tx, { accountId, otherIds: relatedIds, block: { id: block.id, domain } })
      return true
    })
  }
}

/** Finds and locks a batch of the domain's accounts that follow or request to follow the user, or vice versa. */
async function lockRelatedAccounts(
  tx: Tx,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<readonly string[]> {
  const ids = (await findRelatedAccounts(tx.db, { accountId, domain })).map((row) => row.id)
  await lockAccounts(tx, { ids: [accountId, ...ids] })
  return ids
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

import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { lockNotifications } from '../../core/lock-notifications.ts'
import { parseDomain } from '../../domain-blocks/parse-domain.ts'
import { recordSeverances } from '../severances/record-severances.ts'
import { belongsToDomain } from '../../access/user-domain-blocks.ts'
import { deletingFollows } from '../follows/deleting-follows.ts'
import { lockAccounts } from '../../core/lock-accounts.ts'

/** The maximum number of accounts whose relationships one transaction ends. */
const BATCH_SIZE = 500

const insert = statement<{ params: { accountId: string; domain: string; now: Date }; row: { id: string } }>(
  `insert into account_domain_blocks (account_id, domain, created_at) values ($accountId, $domain, $now)
   on conflict (account_id, domain) do nothing returning id`,
)
const findBlock = statement<{ params: { accountId: string; domain: string }; row: { id: string } }>(
  `select id from account_domain_blocks where account_id = $accountId and domain = $domain for key share`,
)
const findRelatedAccounts = statement<{ params: { accountId: string; domain: string }; row: { id: string } }>(
  `select other.id from (
     select target_account_id as id from follows where account_id = $accountId
     union select account_id from follows where target_account_id = $accountId
     union select target_account_id from follow_requests where account_id = $accountId
     union select account_id from follow_requests where target_account_id = $accountId
   ) other where ${belongsToDomain('other.id', '$domain')} limit ${BATCH_SIZE}`,
)

/** A deleted follow or follow request; `account_id` is the follower or the requester. */
interface EndedRelationship {
  account_id: string
  target_account_id: string
  uri: string | null
}

const BOTH_WAYS = `(account_id = $accountId and target_account_id = any($otherIds::bigint[]))
     or (target_account_id = $accountId and account_id = any($otherIds::bigint[]))`
const endFollows = statement<{ params: { accountId: string; otherIds: readonly string[] }; row: EndedRelationship }>(
  `${deletingFollows({ where: BOTH_WAYS, columns: 'account_id, target_account_id, uri' })}
   select account_id, target_account_id, uri from ended`,
)
const endRequests = statement<{ params: { accountId: string; otherIds: readonly string[] }; row: EndedRelationship }>(
  `delete from follow_requests where ${BOTH_WAYS} returning account_id, target_account_id, uri`,
)
const removeNotifications = statement<{ params: { accountId: string; domain: string } }>(
  `delete from notifications n where n.account_id = $accountId and ${belongsToDomain('n.from_account_id', '$domain')}`,
)

/**
 * Blocks a domain and its subdomains for one user (Mastodon: POST /api/v1/domain_blocks). Accounts of the domain cannot
 * follow the user or be followed by the user, cause no notifications and are absent from the user's timelines. Ends
 * follows and follow requests in both directions, which the remote servers are notified of, and deletes notifications
 * from these accounts. Does nothing if the user blocks the domain already.
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
  const pairs = { accountId, otherIds: relatedIds }
  const follows = await endFollows(tx.db, pairs)
  const following = follows.filter((follow) => follow.account_id === accountId).length
  await recordSeverances(tx, {
    type: 'user_domain_block',
    targetName: block.domain,
    cause: `user_domain_block:${block.id}`,
    losses: [{ accountId, followers: follows.length - following, following }],
  })
  for (const { account_id, target_account_id, uri } of [...follows, ...(await endRequests(tx.db, pairs))]) {
    const pair = { accountId: account_id, targetAccountId: target_account_id }
    if (account_id === accountId) tx.emit('account.unfollowed', { ...pair, uri })
    else tx.emit('follow.rejected', { ...pair, uri })
  }
}

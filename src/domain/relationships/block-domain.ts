import { ValidationFailed } from '../../lib/errors.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { holdNotifications } from '../notifications/hold.ts'
import { recordSeverances } from '../notifications/severances.ts'
import { isOfDomain } from './domain-blocking.ts'
import { endingFollows } from './end-follows.ts'
import { lockAccounts } from './lock-accounts.ts'

/** So many people are parted from in one transaction. */
const CHUNK = 500

const insert = statement<{ params: { accountId: string; domain: string; now: Date }; row: { id: string } }>(
  `insert into account_domain_blocks (account_id, domain, created_at) values ($accountId, $domain, $now)
   on conflict (account_id, domain) do nothing returning id`,
)
const findBlock = statement<{ params: { accountId: string; domain: string }; row: { id: string } }>(
  `select id from account_domain_blocks where account_id = $accountId and domain = $domain for key share`,
)
const findOthers = statement<{ params: { accountId: string; domain: string }; row: { id: string } }>(
  `select other.id from (
     select target_account_id as id from follows where account_id = $accountId
     union select account_id from follows where target_account_id = $accountId
     union select target_account_id from follow_requests where account_id = $accountId
     union select account_id from follow_requests where target_account_id = $accountId
   ) other where ${isOfDomain('other.id', '$domain')} limit ${CHUNK}`,
)

/** A follow or a request that has ended; `account_id` followed or asked. */
interface Ended {
  account_id: string
  target_account_id: string
  uri: string | null
}

const BOTH_WAYS = `(account_id = $accountId and target_account_id = any($otherIds::bigint[]))
     or (target_account_id = $accountId and account_id = any($otherIds::bigint[]))`
const endFollows = statement<{ params: { accountId: string; otherIds: readonly string[] }; row: Ended }>(
  `${endingFollows({ which: BOTH_WAYS, columns: 'account_id, target_account_id, uri' })}
   select account_id, target_account_id, uri from ended`,
)
const endRequests = statement<{ params: { accountId: string; otherIds: readonly string[] }; row: Ended }>(
  `delete from follow_requests where ${BOTH_WAYS} returning account_id, target_account_id, uri`,
)
const removeNotifications = statement<{ params: { accountId: string; domain: string } }>(
  `delete from notifications n where n.account_id = $accountId and ${isOfDomain('n.from_account_id', '$domain')}`,
)

/**
 * The one spelling of a domain that somebody typed.
 * @throws ValidationFailed for what is no domain
 */
export function readDomain(typed: string): string {
  const domain = canonicalDomain(typed)
  if (domain !== null) return domain
  const blank = typed.trim() === ''
  throw new ValidationFailed([
    {
      attribute: 'domain',
      code: blank ? 'ERR_BLANK' : 'ERR_INVALID',
      text: blank ? "can't be blank" : 'is not a valid domain name',
    },
  ])
}

/**
 * Blocks a domain and all below it: nobody there can follow the person, or be followed by them, what they do is not
 * notified and what they post stays out of the person's timelines. Follows and requests end both ways, which their
 * servers hear; notifications of them go. Blocking again does nothing.
 * @throws ValidationFailed
 */
export async function blockDomain(
  tx: Tx,
  { accountId, domain: typed }: { accountId: string; domain: string },
): Promise<void> {
  const domain = readDomain(typed)
  const otherIds = await lockOthers(tx, { accountId, domain })
  const [made] = await insert(tx.db, { accountId, domain, now: tx.now })
  if (!made) return
  await part(tx, { accountId, otherIds, block: { id: made.id, domain } })
  await holdNotifications(tx, { accountId })
  await removeNotifications(tx.db, { accountId, domain })
  tx.emit('domain.blocked', { accountId, domain })
}

/**
 * Effect: ends what is still there between a person and a domain that they block: more than one transaction takes, and
 * what came to be while the block was written.
 */
export async function partFromDomain(
  ctx: Ctx,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<void> {
  let more = true
  while (more) {
    more = await ctx.write(async (tx) => {
      const otherIds = await lockOthers(tx, { accountId, domain })
      const [block] = otherIds.length === 0 ? [] : await findBlock(tx.db, { accountId, domain })
      if (!block) return false
      await part(tx, { accountId, otherIds, block: { id: block.id, domain } })
      return true
    })
  }
}

/** Some of those of the domain who follow the person or ask to, or the other way round. All are locked. */
async function lockOthers(
  tx: Tx,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<readonly string[]> {
  const ids = (await findOthers(tx.db, { accountId, domain })).map((row) => row.id)
  await lockAccounts(tx, { ids: [accountId, ...ids] })
  return ids
}

async function part(
  tx: Tx,
  {
    accountId,
    otherIds,
    block,
  }: { accountId: string; otherIds: readonly string[]; block: { id: string; domain: string } },
): Promise<void> {
  if (otherIds.length === 0) return
  const pairs = { accountId, otherIds }
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

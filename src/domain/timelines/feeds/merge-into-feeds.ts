import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { backfillHomeFeed, backfillListFeeds, MAX_CANDIDATES } from './backfill-feeds.ts'
import { removeDomainEntries, removeHomeEntries, removeListEntries, removeTagEntries } from './remove-entries.ts'

/** The number of latest statuses of a newly followed account or new list member that are added to the feed. */
const MERGED_STATUSES = 200

/** The number of accounts whose statuses one transaction adds, so that a backfill examines all of them. */
const MERGED_AUTHORS = MAX_CANDIDATES / MERGED_STATUSES

interface AccountPair {
  accountId: string
  targetAccountId: string
}

// Serialises changes to a user's feeds, so that a removal and a merge cannot interleave.
const lockUser = statement<{ params: { accountId: string } }>(
  `select from users where account_id = $accountId for no key update`,
)

async function withUserLock(ctx: Ctx, accountId: string, work: (tx: Tx) => Promise<void>): Promise<void> {
  await ctx.write(async (tx) => {
    await lockUser(tx.db, { accountId })
    await work(tx)
  })
}

/** Returns the distinct targets of pairs, by the first account. */
function groupTargets(pairs: readonly AccountPair[]): Map<string, string[]> {
  const byAccount = new Map<string, Set<string>>()
  for (const { accountId, targetAccountId } of pairs) {
    const targets = byAccount.get(accountId)
    if (targets) targets.add(targetAccountId)
    else byAccount.set(accountId, new Set([targetAccountId]))
  }
  return new Map([...byAccount].map(([accountId, targets]) => [accountId, [...targets]]))
}

/** Effect: adds the latest statuses of accounts to the feeds of users who follow or unmute them. */
export async function mergeAccountsIntoFeeds(ctx: Ctx, pairs: readonly AccountPair[]): Promise<void> {
  for (const [accountId, targetAccountIds] of groupTargets(pairs)) {
    for (let from = 0; from < targetAccountIds.length; from += MERGED_AUTHORS) {
      const authorIds = targetAccountIds.slice(from, from + MERGED_AUTHORS)
      const backfill = { accountId, authorIds, perAuthor: MERGED_STATUSES }
      await withUserLock(ctx, accountId, async (tx) => {
        await backfillHomeFeed(tx, backfill)
        await backfillListFeeds(tx, backfill)
      })
    }
  }
}

/**
 * Effect: removes the statuses of accounts from the feeds of users who no longer follow them, and everything that
 * involves them from the feeds of users who mute or block them. The feeds of a user are read once for all accounts,
 * since they may have forty thousand entries.
 */
export async function removeAccountsFromFeeds(ctx: Ctx, pairs: readonly AccountPair[]): Promise<void> {
  for (const [accountId, targetAccountIds] of groupTargets(pairs)) {
    await removeManyFromFeeds(ctx, { accountId, targetAccountIds })
  }
}

/** Effect: does the same for many accounts and the feeds of one user. */
export async function removeManyFromFeeds(
  ctx: Ctx,
  { accountId, targetAccountIds }: { accountId: string; targetAccountIds: readonly string[] },
): Promise<void> {
  const removal = { accountId, authorIds: targetAccountIds }
  await withUserLock(ctx, accountId, async (tx) => {
    await removeHomeEntries(tx, removal)
    await removeListEntries(tx, removal)
  })
}

/**
 * Effect: removes the statuses of each of two accounts from the other's feeds after a block, including reblogs by
 * others, for several pairs.
 */
export async function separateFeedsOfPairs(ctx: Ctx, pairs: readonly AccountPair[]): Promise<void> {
  const reversed = pairs.map(({ accountId, targetAccountId }) => ({
    accountId: targetAccountId,
    targetAccountId: accountId,
  }))
  await removeAccountsFromFeeds(ctx, [...pairs, ...reversed])
}

/** Effect: removes the statuses of a domain from the feeds of a user who blocks it. */
export async function removeDomainFromFeeds(
  ctx: Ctx,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<void> {
  await removeDomainsFromFeeds(ctx, { accountId, domains: [domain] })
}

/** Effect: does the same for many domains. */
export async function removeDomainsFromFeeds(
  ctx: Ctx,
  { accountId, domains }: { accountId: string; domains: readonly string[] },
): Promise<void> {
  await withUserLock(ctx, accountId, (tx) => removeDomainEntries(tx, { accountId, domains }))
}

/** Effect: removes the statuses that were in a home feed only because of a hashtag that is no longer followed. */
export async function removeTagFromFeed(
  ctx: Ctx,
  { accountId, tagId }: { accountId: string; tagId: string },
): Promise<void> {
  await withUserLock(ctx, accountId, (tx) => removeTagEntries(tx, { accountId, tagId }))
}

interface Membership {
  /** The owner of the list. */
  accountId: string
  listId: string
  memberIds: readonly string[]
  exclusive: boolean
}

/**
 * Effect: adds the latest statuses of new members to a list's feed and, if it is exclusive, removes them from the home
 * feed.
 */
export async function mergeIntoList(ctx: Ctx, { accountId, listId, memberIds, exclusive }: Membership): Promise<void> {
  await withUserLock(ctx, accountId, async (tx) => {
    await backfillListFeeds(tx, { accountId, listId, authorIds: memberIds, perAuthor: MERGED_STATUSES })
    if (exclusive) await removeHomeEntries(tx, { accountId, authorIds: memberIds })
  })
}

/** Effect: removes former members from a list's feed and, if it was exclusive, adds their statuses to the home feed. */
export async function removeFromList(
  ctx: Ctx,
  { accountId, memberIds, exclusive }: Omit<Membership, 'listId'>,
): Promise<void> {
  await withUserLock(ctx, accountId, async (tx) => {
    await removeListEntries(tx, { accountId, authorIds: memberIds })
    if (exclusive) await backfillHomeFeed(tx, { accountId, authorIds: memberIds, perAuthor: MERGED_STATUSES })
  })
}

/**
 * Effect: removes the members of a list from the home feed or adds them again, if its `exclusive` has changed. The event
 * names them, because those who have left the list since then have to return, too.
 */
export async function applyListExclusivity(
  ctx: Ctx,
  { accountId, memberIds }: { accountId: string; memberIds: readonly string[] },
): Promise<void> {
  await withUserLock(ctx, accountId, async (tx) => {
    await removeHomeEntries(tx, { accountId, authorIds: memberIds })
    await backfillHomeFeed(tx, { accountId, authorIds: memberIds, perAuthor: MERGED_STATUSES })
  })
}

import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Tx } from '../../context.ts'
import { backfillHomeFeed, backfillListFeeds } from './backfill-feeds.ts'
import { removeDomainEntries, removeHomeEntries, removeListEntries, removeTagEntries } from './remove-entries.ts'

/** The number of latest statuses of a newly followed account or new list member that are added to the feed. */
const MERGED_STATUSES = 200

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

/** Effect: adds the latest statuses of an account to the feeds of a user who follows or unmutes it. */
export async function mergeIntoFeeds(ctx: Ctx, { accountId, targetAccountId }: AccountPair): Promise<void> {
  const backfill = { accountId, authorIds: [targetAccountId], perAuthor: MERGED_STATUSES }
  await withUserLock(ctx, accountId, async (tx) => {
    await backfillHomeFeed(tx, backfill)
    await backfillListFeeds(tx, backfill)
  })
}

/**
 * Effect: removes the statuses of an account from the feeds of a user who no longer follows it, and everything that
 * involves it from the feeds of a user who mutes or blocks it.
 */
export async function removeFromFeeds(ctx: Ctx, { accountId, targetAccountId }: AccountPair): Promise<void> {
  await removeManyFromFeeds(ctx, { accountId, targetAccountIds: [targetAccountId] })
}

/** Effect: does the same for many accounts. */
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
 * others.
 */
export async function separateFeeds(ctx: Ctx, { accountId, targetAccountId }: AccountPair): Promise<void> {
  await removeFromFeeds(ctx, { accountId, targetAccountId })
  await removeFromFeeds(ctx, { accountId: targetAccountId, targetAccountId: accountId })
}

/** Effect: removes the statuses of a domain from the feeds of a user who blocks it. */
export async function removeDomainFromFeeds(
  ctx: Ctx,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<void> {
  await withUserLock(ctx, accountId, (tx) => removeDomainEntries(tx, { accountId, domain }))
}

/** Effect: does the same for many domains. */
export async function removeDomainsFromFeeds(
  ctx: Ctx,
  { accountId, domains }: { accountId: string; domains: readonly string[] },
): Promise<void> {
  for (const domain of domains) await removeDomainFromFeeds(ctx, { accountId, domain })
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

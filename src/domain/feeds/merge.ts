import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'
import { gatherIntoHome, gatherIntoLists } from './gather.ts'
import { sweepDomain, sweepFromHome, sweepFromLists, sweepTag } from './sweep.ts'

/** Statuses of a newly followed person, or a new member of a list, that come into the feed at once. */
const MERGED = 200

interface Pair {
  accountId: string
  targetAccountId: string
}

// One change after the other: what is swept out now was brought in before, or is not brought in any more.
const hold = statement<{ params: { accountId: string } }>(
  `select from users where account_id = $accountId for no key update`,
)

async function arrange(ctx: Ctx, accountId: string, work: (tx: Tx) => Promise<void>): Promise<void> {
  await ctx.write(async (tx) => {
    await hold(tx.db, { accountId })
    await work(tx)
  })
}

/** Effect: whoever follows somebody, or mutes them no more, finds their latest statuses in their feeds. */
export async function mergeIntoFeeds(ctx: Ctx, { accountId, targetAccountId }: Pair): Promise<void> {
  const gathering = { accountId, personIds: [targetAccountId], perPerson: MERGED }
  await arrange(ctx, accountId, async (tx) => {
    await gatherIntoHome(tx, gathering)
    await gatherIntoLists(tx, gathering)
  })
}

/** Effect: what somebody wrote leaves the feeds of who no longer follows them, and all about them of who mutes them. */
export async function leaveFeeds(ctx: Ctx, { accountId, targetAccountId }: Pair): Promise<void> {
  const sweep = { accountId, personIds: [targetAccountId] }
  await arrange(ctx, accountId, async (tx) => {
    await sweepFromHome(tx, sweep)
    await sweepFromLists(tx, sweep)
  })
}

/** Effect: somebody who is blocked leaves the blocker's feeds, also where others boost them, and the other way round. */
export async function partFeeds(ctx: Ctx, { accountId, targetAccountId }: Pair): Promise<void> {
  await leaveFeeds(ctx, { accountId, targetAccountId })
  await leaveFeeds(ctx, { accountId: targetAccountId, targetAccountId: accountId })
}

/** Effect: what is of a domain that somebody blocks leaves their feeds. */
export async function leaveDomain(
  ctx: Ctx,
  { accountId, domain }: { accountId: string; domain: string },
): Promise<void> {
  await arrange(ctx, accountId, (tx) => sweepDomain(tx, { accountId, domain }))
}

/** Effect: what came into a home feed by nothing but a hashtag leaves it when that is no longer followed. */
export async function leaveTag(ctx: Ctx, { accountId, tagId }: { accountId: string; tagId: string }): Promise<void> {
  await arrange(ctx, accountId, (tx) => sweepTag(tx, { accountId, tagId }))
}

interface Membership {
  /** Of the list's owner. */
  accountId: string
  listId: string
  memberIds: readonly string[]
  exclusive: boolean
}

/** Effect: a list has the latest statuses of those who come onto it; if it is exclusive, the home feed loses them. */
export async function mergeIntoList(ctx: Ctx, { accountId, listId, memberIds, exclusive }: Membership): Promise<void> {
  await arrange(ctx, accountId, async (tx) => {
    await gatherIntoLists(tx, { accountId, listId, personIds: memberIds, perPerson: MERGED })
    if (exclusive) await sweepFromHome(tx, { accountId, personIds: memberIds })
  })
}

/** Effect: those who are taken off a list leave its feed; if it was exclusive, they come back into the home feed. */
export async function leaveList(
  ctx: Ctx,
  { accountId, memberIds, exclusive }: Omit<Membership, 'listId'>,
): Promise<void> {
  await arrange(ctx, accountId, async (tx) => {
    await sweepFromLists(tx, { accountId, personIds: memberIds })
    if (exclusive) await gatherIntoHome(tx, { accountId, personIds: memberIds, perPerson: MERGED })
  })
}

const findMembers = statement<{ params: { listId: string }; row: { account_id: string } }>(
  `select account_id from list_accounts where list_id = $listId and follow_id is not null`,
)

/** Effect: those on a list leave the home feed or come back, as the list says now. */
export async function moveMembers(
  ctx: Ctx,
  { accountId, listId }: { accountId: string; listId: string },
): Promise<void> {
  await arrange(ctx, accountId, async (tx) => {
    const personIds = (await findMembers(tx.db, { listId })).map((row) => row.account_id)
    await sweepFromHome(tx, { accountId, personIds })
    await gatherIntoHome(tx, { accountId, personIds, perPerson: MERGED })
  })
}

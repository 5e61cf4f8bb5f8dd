import { countRemoteAccount } from '../../domain/accounts/count-remote.ts'
import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import { hostOf, totalOf } from '../wire/read.ts'
import { createBudget } from './budget.ts'
import type { Budget } from './budget.ts'
import { fetchDocument } from './document.ts'
import { isForeseen } from './refusals.ts'

/** Three collections, each of which may lie somewhere else than it says. */
const MAX_FETCHES = 6
const TIMEOUT_MS = 20_000

interface Urls {
  uri: string
  outbox_url: string | null
  followers_url: string | null
  following_url: string | null
}

const findUrls = statement<{ params: { accountId: string }; row: Urls }>(
  `select uri, outbox_url, followers_url, following_url from accounts
   where id = $accountId and domain is not null and suspended_at is null`,
)

interface Told {
  total: number | null
  /** Whether it shows what it counts. */
  isShown: boolean
}

/** Effect: asks the server of somebody elsewhere how much they wrote, and how many follow whom. */
export async function fetchCounters(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [urls] = await findUrls(ctx.db, { accountId })
  if (!urls) return
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS, sender: hostOf(urls.uri) ?? urls.uri })
  // One after the other: a job that needs several places at once may never get them.
  const outbox = await fetchCollection(ctx, { url: urls.outbox_url, budget })
  const followers = await fetchCollection(ctx, { url: urls.followers_url, budget })
  const following = await fetchCollection(ctx, { url: urls.following_url, budget })
  const told = [followers, following].filter((one) => one?.total != null)
  await ctx.write((tx) =>
    countRemoteAccount(tx, {
      accountId,
      statusesCount: outbox?.total ?? null,
      followersCount: followers?.total ?? null,
      followingCount: following?.total ?? null,
      hideCollections: told.length === 0 ? null : told.some((one) => !one!.isShown),
    }),
  )
}

/** Null: it can't be had, and is not worth another try. */
async function fetchCollection(
  ctx: Ctx,
  { url, budget }: { url: string | null; budget: Budget },
): Promise<Told | null> {
  if (url === null) return null
  try {
    const document = await fetchDocument(ctx, { uri: url, budget })
    const isShown = ['first', 'items', 'orderedItems'].some((name) => document[name] !== undefined)
    return { total: totalOf(document), isShown }
  } catch (err) {
    if (!isForeseen(err)) throw err
    ctx.log.debug({ err }, 'collection could not be counted')
    return null
  }
}

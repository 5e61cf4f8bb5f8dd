import { recordRemoteCounts } from '../../../domain/accounts/remote/record-remote-counts.ts'
import type { Ctx } from '../../../domain/context.ts'
import { statement } from '../../../platform/db/statement.ts'
import { hostOf, totalOf } from '../../wire/read-values.ts'
import { createBudget } from '../fetch/budget.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { fetchDocument } from '../fetch/fetch-document.ts'
import { isExpectedFailure } from '../fetch/remote-errors.ts'

/** Fetches for three collections, each of which may have an id that is another URL. */
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

interface CollectionTotal {
  total: number | null
  /** Whether it lists its items. */
  isShown: boolean
}

/** Effect: fetches the numbers of statuses, followers and followed accounts of a remote account from its server. */
export async function fetchCounters(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [urls] = await findUrls(ctx.db, { accountId })
  if (!urls) return
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS, sender: hostOf(urls.uri) ?? urls.uri })
  // Sequentially: a job that needs several fetch slots at once may never get them.
  const outbox = await fetchCollection(ctx, { url: urls.outbox_url, budget })
  const followers = await fetchCollection(ctx, { url: urls.followers_url, budget })
  const following = await fetchCollection(ctx, { url: urls.following_url, budget })
  const totals = [followers, following].filter((one) => one?.total != null)
  await ctx.write((tx) =>
    recordRemoteCounts(tx, {
      accountId,
      statusesCount: outbox?.total ?? null,
      followersCount: followers?.total ?? null,
      followingCount: following?.total ?? null,
      hideCollections: totals.length === 0 ? null : totals.some((one) => !one!.isShown),
    }),
  )
}

/** Fetches the total of a collection; null if it is unavailable, which is not worth a retry. */
async function fetchCollection(
  ctx: Ctx,
  { url, budget }: { url: string | null; budget: FetchBudget },
): Promise<CollectionTotal | null> {
  if (url === null) return null
  try {
    const document = await fetchDocument(ctx, { uri: url, budget })
    const isShown = ['first', 'items', 'orderedItems'].some((name) => document[name] !== undefined)
    return { total: totalOf(document), isShown }
  } catch (err) {
    if (!isExpectedFailure(err)) throw err
    ctx.log.debug({ err }, 'Collection could not be counted')
    return null
  }
}

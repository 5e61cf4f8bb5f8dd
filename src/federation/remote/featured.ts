import type { Ctx } from '../../domain/context.ts'
import { replaceRemotePins } from '../../domain/statuses/record-pins.ts'
import { statement } from '../../platform/db/statement.ts'
import type { WireObject } from '../wire/normalise.ts'
import { hostOf, idOf, isSameHost, listOf, objectOf } from '../wire/read.ts'
import { createBudget } from './budget.ts'
import type { Budget } from './budget.ts'
import { fetchDocument } from './document.ts'
import { isForeseen } from './refusals.ts'
import { resolveStatus } from './status.ts'

/** So many statuses on top of a profile are taken in. */
const MAX_PINS = 10

/** Each of them, the collection and its first page; and some may lie somewhere else than they say. */
const MAX_FETCHES = MAX_PINS + 5
const TIMEOUT_MS = 30_000

const findFeatured = statement<{ params: { accountId: string }; row: { uri: string; featured_url: string | null } }>(
  `select uri, featured_url from accounts where id = $accountId and domain is not null and suspended_at is null`,
)

/** Effect: asks the server of somebody elsewhere what stands on top of their profile. */
export async function fetchFeatured(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [account] = await findFeatured(ctx.db, { accountId })
  if (!account?.featured_url || !isSameHost(account.featured_url, account.uri)) return
  const sender = hostOf(account.uri) ?? account.uri
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS, sender })
  const uris = await doWithout(ctx, async () => readFeatured(ctx, { uri: account.featured_url!, budget }))
  if (uris === null) return
  const statusIds: string[] = []
  for (const uri of uris.filter((one) => isSameHost(one, account.uri)).slice(0, MAX_PINS)) {
    const id = await doWithout(ctx, async () => resolveStatus(ctx, { uri, budget }))
    if (id !== null) statusIds.push(id)
  }
  await ctx.write((tx) => replaceRemotePins(tx, { accountId, statusIds }))
}

/** The ids of what the first page holds. */
async function readFeatured(ctx: Ctx, { uri, budget }: { uri: string; budget: Budget }): Promise<string[]> {
  const collection = await fetchDocument(ctx, { uri, budget })
  const items = itemsOf(collection)
  if (items.length > 0 || collection['first'] === undefined) return items
  const first = objectOf(collection['first']) ?? (await fetchPage(ctx, { collection, budget }))
  return first ? itemsOf(first) : []
}

async function fetchPage(
  ctx: Ctx,
  { collection, budget }: { collection: WireObject; budget: Budget },
): Promise<WireObject | null> {
  const page = idOf(collection['first'])
  return page === null ? null : fetchDocument(ctx, { uri: page, budget })
}

function itemsOf(collection: WireObject): string[] {
  const items = [...listOf(collection['orderedItems']), ...listOf(collection['items'])]
  return items.map((item) => idOf(item)).filter((id) => id !== null)
}

async function doWithout<T>(ctx: Ctx, ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (err) {
    if (!isForeseen(err)) throw err
    ctx.log.debug({ err }, 'featured collection could not be fetched')
    return null
  }
}

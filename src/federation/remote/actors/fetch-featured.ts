import type { Ctx } from '../../../domain/context.ts'
import { replaceRemotePins } from '../../../domain/statuses/remote/record-remote-pins.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { WireValue } from '../../wire/normalize.ts'
import { hostOf, idOf, isOfType, isSameHost, objectOf } from '../../wire/read-values.ts'
import { createBudget } from '../fetch/budget.ts'
import type { FetchBudget } from '../fetch/budget.ts'
import { fetchFirstPage } from '../fetch/fetch-first-page.ts'
import { isExpectedFailure } from '../fetch/remote-errors.ts'
import { resolveStatus } from '../statuses/resolve-status.ts'

/** The items of a first page that are read at most, to limit the work that an account causes. Few accounts pin ten. */
const MAX_PINS = 50

/** Fetches for each status, the collection and its first page, some of which may have an id that is another URL. */
const MAX_FETCHES = MAX_PINS + 5
const TIMEOUT_MS = 60_000

const CREATE = new Set(['Create'])

const findFeatured = statement<{ params: { accountId: string }; row: { uri: string; featured_url: string | null } }>(
  `select uri, featured_url from accounts where id = $accountId and domain is not null and suspended_at is null`,
)

/** Effect: fetches the pinned statuses of a remote account, those on the first page, from its server. */
export async function fetchFeatured(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [account] = await findFeatured(ctx.db, { accountId })
  if (!account?.featured_url || !isSameHost(account.featured_url, account.uri)) return
  const sender = hostOf(account.uri) ?? account.uri
  const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS, sender })
  const uris = await nullIfUnavailable(ctx, async () => readFeatured(ctx, { uri: account.featured_url!, budget }))
  if (uris === null) return
  const statusIds: string[] = []
  for (const uri of uris.filter((one) => isSameHost(one, account.uri)).slice(0, MAX_PINS)) {
    const id = await nullIfUnavailable(ctx, async () => resolveStatus(ctx, { uri, budget }))
    if (id !== null) statusIds.push(id)
  }
  await ctx.write((tx) => replaceRemotePins(tx, { accountId, statusIds }))
}

/** Returns the ids of the items on the first page. */
async function readFeatured(ctx: Ctx, request: { uri: string; budget: FetchBudget }): Promise<string[]> {
  return (await fetchFirstPage(ctx, request)).map((item) => idOfPin(item)).filter((id) => id !== null)
}

/** Returns the id of an item, or of the status that it creates: snac lists Create activities that it does not serve. */
function idOfPin(item: WireValue): string | null {
  const embedded = objectOf(item)
  return idOf(embedded && isOfType(embedded, CREATE) ? embedded['object'] : item)
}

async function nullIfUnavailable<T>(ctx: Ctx, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work()
  } catch (err) {
    if (!isExpectedFailure(err)) throw err
    ctx.log.debug({ err }, 'Featured collection could not be fetched')
    return null
  }
}

import type { Ctx } from '../../../domain/context.ts'
import {
  MAX_REMOTE_FEATURED_TAGS,
  replaceRemoteFeaturedTags,
} from '../../../domain/tags/record-remote-featured-tags.ts'
import { statement } from '../../../platform/db/statement.ts'
import { readIfHashtag } from '../../objects/read/read-tags.ts'
import type { WireValue } from '../../wire/normalize.ts'
import { hostOf, isSameHost, objectsOf } from '../../wire/read-values.ts'
import { createBudget } from '../fetch/budget.ts'
import { fetchFirstPage } from '../fetch/fetch-first-page.ts'
import { isExpectedFailure } from '../fetch/remote-errors.ts'

/** The collection and its first page, each of which may have an id that is another URL. */
const MAX_FETCHES = 4
const TIMEOUT_MS = 30_000

const find = statement<{ params: { accountId: string }; row: { uri: string; featured_tags_url: string | null } }>(
  `select uri, featured_tags_url from accounts
   where id = $accountId and domain is not null and suspended_at is null`,
)

/** Effect: fetches the featured hashtags of a remote account, those on the first page, from its server. */
export async function fetchFeaturedTags(ctx: Ctx, { accountId }: { accountId: string }): Promise<void> {
  const [account] = await find(ctx.db, { accountId })
  if (!account?.featured_tags_url || !isSameHost(account.featured_tags_url, account.uri)) return
  const items = await fetchItems(ctx, { uri: account.featured_tags_url, host: hostOf(account.uri) ?? account.uri })
  if (items === null) return
  const tags = objectsOf(items, MAX_REMOTE_FEATURED_TAGS)
    .map(readIfHashtag)
    .filter((tag) => tag !== null)
  await ctx.write((tx) => replaceRemoteFeaturedTags(tx, { accountId, tags }))
}

/** Returns the items on the first page; null if it cannot be fetched. */
async function fetchItems(
  ctx: Ctx,
  { uri, host }: { uri: string; host: string },
): Promise<readonly WireValue[] | null> {
  try {
    const budget = createBudget({ fetches: MAX_FETCHES, timeoutMs: TIMEOUT_MS, sender: host })
    return await fetchFirstPage(ctx, { uri, budget })
  } catch (err) {
    if (!isExpectedFailure(err)) throw err
    ctx.log.debug({ err }, 'Featured hashtags could not be fetched')
    return null
  }
}

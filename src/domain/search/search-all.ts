import { searchAccounts } from '../accounts/lookup/search-accounts.ts'
import type { Ctx } from '../context.ts'
import type { ResolvedObject } from '../ports.ts'
import { searchTags } from '../tags/search-tags.ts'
import { resolveSearchHandle } from './resolve-search-handle.ts'
import { searchStatuses } from './search-statuses.ts'

type SearchType = 'accounts' | 'hashtags' | 'statuses'

export interface SearchInput {
  viewerId: string
  query: string
  /** Return only results of this type. */
  type?: SearchType | undefined
  /** Resolve the query with other servers if it is a URL or a handle. */
  resolve: boolean
  /** Return only accounts that the viewer follows. */
  following?: boolean | undefined
  /** Return only hashtags that the staff reviewed. */
  reviewedOnly?: boolean | undefined
  /** Return only statuses of this account, and with ids between these, exclusively. */
  accountId?: string | undefined
  minId?: string | undefined
  maxId?: string | undefined
  /** For each type. */
  limit: number
  offset: number
}

/** Ids, the best match first. */
export interface SearchResults {
  accounts: readonly string[]
  statuses: readonly string[]
  hashtags: readonly string[]
  /** Only found by URL. */
  collections: readonly string[]
}

const NO_RESULTS: SearchResults = { accounts: [], statuses: [], hashtags: [], collections: [] }

const URL_PATTERN = /^https?:\/\//i

/**
 * Searches for accounts, statuses and hashtags. If the query is a URL to resolve, returns only the object at that URL,
 * if the viewer may see it. Mastodon: GET /api/v2/search
 */
export async function searchAll(ctx: Ctx, input: SearchInput): Promise<SearchResults> {
  const { viewerId, query, type, resolve, limit, offset } = input
  if (limit === 0) return NO_RESULTS
  if (resolve && URL_PATTERN.test(query)) {
    const resolved = offset === 0 ? await ctx.remote.resolve({ uri: query, viewerId }) : null
    return resolved ? singleResult(resolved, type) : NO_RESULTS
  }
  const includes = (kind: SearchType) => type === undefined || type === kind
  const isTag = /^[#＃]/.test(query)
  const resolves = resolve && offset === 0 && includes('accounts')
  const accountQuery = resolves ? await resolveSearchHandle(ctx, { query }) : query
  // A search for a handle does not return statuses that mention the account, unless statuses are requested.
  const isHandle = type === undefined && /^@\S+$/.test(query)
  const [accounts, statuses, hashtags] = await Promise.all([
    includes('accounts') && !isTag ? searchAccounts(ctx, { ...input, query: accountQuery }) : [],
    includes('statuses') && !isHandle ? searchStatuses(ctx, input) : [],
    // A query with an `@` names an account.
    includes('hashtags') && !query.includes('@') ? searchTags(ctx, { ...input, now: ctx.now() }) : [],
  ])
  return { ...NO_RESULTS, accounts, statuses, hashtags }
}

const LISTS = { account: 'accounts', status: 'statuses', collection: 'collections' } as const

function singleResult({ kind, id }: ResolvedObject, type: SearchType | undefined): SearchResults {
  const list = LISTS[kind]
  return type === undefined || type === list ? { ...NO_RESULTS, [list]: [id] } : NO_RESULTS
}

import { searchAccounts } from '../accounts/search.ts'
import type { Ctx } from '../context.ts'
import type { Resolved } from '../ports.ts'
import { searchTags } from '../tags/search.ts'
import { resolveQuery } from './resolve-query.ts'
import { searchStatuses } from './statuses.ts'

type Kind = 'accounts' | 'hashtags' | 'statuses'

export interface Question {
  viewerId: string
  query: string
  /** Only this kind. */
  type?: Kind | undefined
  /** Ask other servers for what the query names: an address or a handle. */
  resolve: boolean
  /** Only accounts that the viewer follows. */
  following?: boolean | undefined
  /** Only hashtags that the staff looked at. */
  reviewedOnly?: boolean | undefined
  /** Only statuses of this account, and those between these, both excluded. */
  accountId?: string | undefined
  minId?: string | undefined
  maxId?: string | undefined
  /** Of each kind. */
  limit: number
  offset: number
}

/** Ids, the best first. */
export interface Found {
  accounts: readonly string[]
  statuses: readonly string[]
  hashtags: readonly string[]
  /** Only what lies at an address. */
  collections: readonly string[]
}

const NOTHING: Found = { accounts: [], statuses: [], hashtags: [], collections: [] }

const ADDRESS = /^https?:\/\//i

/** What a query may mean. An address that is to be resolved gives what lies there, if the viewer may see it, and nothing else. */
export async function findAnything(ctx: Ctx, question: Question): Promise<Found> {
  const { viewerId, query, type, resolve, limit, offset } = question
  if (limit === 0) return NOTHING
  if (resolve && ADDRESS.test(query)) {
    const resolved = offset === 0 ? await ctx.remote.resolve({ uri: query, viewerId }) : null
    return resolved ? only(resolved, type) : NOTHING
  }
  const wants = (kind: Kind) => type === undefined || type === kind
  const isTag = /^[#＃]/.test(query)
  if (resolve && offset === 0 && wants('accounts')) await resolveQuery(ctx, { query })
  // Who looks for somebody does not want to see who ever wrote their name, unless it is asked for.
  const isHandle = type === undefined && /^@\S+$/.test(query)
  const [accounts, statuses, hashtags] = await Promise.all([
    wants('accounts') && !isTag ? searchAccounts(ctx, question) : [],
    wants('statuses') && !isHandle ? searchStatuses(ctx, question) : [],
    // What has an `@` in it is somebody.
    wants('hashtags') && !query.includes('@') ? searchTags(ctx, { ...question, now: ctx.now() }) : [],
  ])
  return { ...NOTHING, accounts, statuses, hashtags }
}

const LISTS = { account: 'accounts', status: 'statuses', collection: 'collections' } as const

function only({ kind, id }: Resolved, type: Kind | undefined): Found {
  const list = LISTS[kind]
  return type === undefined || type === list ? { ...NOTHING, [list]: [id] } : NOTHING
}

import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { MastoHttpError } from 'masto'
import { toPage } from '../../../lib/api/pages.ts'
import type { Page } from '../../../lib/api/pages.ts'
import { api } from '../../../lib/session.ts'
import type { Account, FamiliarFollowers, MutedAccount, Status } from '../../../lib/api/entities.ts'
import { startData } from '../../../lib/start-data.ts'
import { saveStatuses } from '../../statuses/status-store.ts'

const PAGE_LIMIT = 40

/** An account by its handle without the first `@`. A remote one that this server does not know is resolved. */
export const accountQuery = (acct: string) => {
  const isLocal = acct.toLowerCase().endsWith(`@${startData.domain.toLowerCase()}`)
  const name = isLocal ? acct.slice(0, acct.indexOf('@')) : acct
  return queryOptions({ queryKey: ['account', name.toLowerCase()], queryFn: () => findAccount(name) })
}

/** Returns the account; null if there is none. */
async function findAccount(acct: string): Promise<Account | null> {
  try {
    return (await api().v1.accounts.lookup({ acct })) as unknown as Account
  } catch (error) {
    if (!(error instanceof MastoHttpError) || error.statusCode !== 404) throw error
    return acct.includes('@') ? resolveAccount(acct) : null
  }
}

async function resolveAccount(acct: string): Promise<Account | null> {
  const search = { q: `@${acct}`, type: 'accounts' as const, resolve: true, limit: 1 }
  const { accounts } = await api().v2.search.list(search)
  const found = (accounts as unknown as Account[]).find((one) => one.acct.toLowerCase() === acct.toLowerCase())
  return found ?? null
}

/** A list of accounts that is loaded page by page. */
function accountList<Item extends Account = Account>(
  queryKey: readonly string[],
  fetchRaw: (page: { maxId?: string; limit: number }) => PromiseLike<{ headers: Headers; data: unknown }>,
) {
  return infiniteQueryOptions({
    queryKey: ['accounts', ...queryKey],
    queryFn: async ({ pageParam }) =>
      toPage<Item>(await fetchRaw({ limit: PAGE_LIMIT, ...(pageParam && { maxId: pageParam }) })),
    initialPageParam: '',
    getNextPageParam: ({ maxId }) => maxId,
  })
}

export const followersQuery = (id: string) =>
  accountList(['followers', id], (page) => api().v1.accounts.$select(id).followers.list.$raw(page))

export const followingQuery = (id: string) =>
  accountList(['following', id], (page) => api().v1.accounts.$select(id).following.list.$raw(page))

export const endorsedQuery = (id: string) =>
  accountList(['endorsed', id], (page) => api().v1.accounts.$select(id).endorsements.list.$raw(page))

export const blockedQuery = accountList(['blocked'], (page) => api().v1.blocks.list.$raw(page))

export const mutedQuery = accountList<MutedAccount>(['muted'], (page) => api().v1.mutes.list.$raw(page))

export const followRequestsQuery = accountList(['follow-requests'], (page) => api().v1.followRequests.list.$raw(page))

/** The accounts of this server or of all servers that are discoverable. Its pages are offsets. */
export const directoryQuery = ({ order, isLocal }: { order: 'active' | 'new'; isLocal: boolean }) =>
  infiniteQueryOptions({
    queryKey: ['accounts', 'directory', order, String(isLocal)],
    queryFn: async ({ pageParam }): Promise<Page<Account>> => {
      const parameters = { order, local: isLocal, limit: PAGE_LIMIT, offset: Number(pageParam) }
      const items = (await api().v1.directory.list(parameters)) as unknown as Account[]
      return { items, maxId: items.length === 0 ? null : String(Number(pageParam) + items.length) }
    },
    initialPageParam: '0',
    getNextPageParam: ({ maxId }) => maxId,
  })

/** The followers of an account that the user follows. */
export const familiarFollowersQuery = (id: string) =>
  queryOptions({
    queryKey: ['familiar-followers', id],
    queryFn: async () => {
      const { fetch } = api().v1.accounts.familiarFollowers
      // The type of masto.js lacks the name of the parameter.
      const found = await (fetch as unknown as (query: { id: string[] }) => Promise<unknown>)({ id: [id] })
      return (found as FamiliarFollowers[])[0]?.accounts ?? []
    },
    staleTime: 300_000,
  })

/** The ids of the posts that an account has pinned. */
export const pinnedQuery = (id: string) =>
  queryOptions({
    queryKey: ['pinned', id],
    queryFn: async () =>
      saveStatuses((await api().v1.accounts.$select(id).statuses.list({ pinned: true })) as unknown as Status[]),
  })

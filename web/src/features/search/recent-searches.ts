import { queryOptions } from '@tanstack/react-query'
import { readValue, writeValue } from '../../lib/database.ts'
import { currentAccountId } from '../../lib/session.ts'

const MAX_COUNT = 8

const storageKey = () => `recent-searches-${currentAccountId()}`

/** What the user has searched for in this browser, the newest first. */
export const recentSearchesQuery = queryOptions({
  queryKey: ['recent-searches'],
  queryFn: async () => (await readValue<string[]>('settings', storageKey())) ?? [],
  networkMode: 'always',
})

/** Puts a search on top of the recent ones. Returns the new list. */
export async function addRecentSearch(query: string): Promise<string[]> {
  return change((recent) => [query, ...recent.filter((one) => one !== query)].slice(0, MAX_COUNT))
}

/** Removes a search from the recent ones. Returns the new list. */
export async function removeRecentSearch(query: string): Promise<string[]> {
  return change((recent) => recent.filter((one) => one !== query))
}

async function change(work: (recent: string[]) => string[]): Promise<string[]> {
  const next = work((await readValue<string[]>('settings', storageKey())) ?? [])
  await writeValue('settings', storageKey(), next)
  return next
}

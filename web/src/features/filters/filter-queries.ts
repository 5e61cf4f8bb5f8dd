import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { mastodon } from 'masto'
import type { Filter, FilterContext, FilterStatus, Status } from '../../lib/api/entities.ts'
import { api } from '../../lib/session.ts'
import { saveStatus } from '../statuses/status-store.ts'
import { refreshTimelines } from '../timelines/timelines.ts'
import type { KeywordChange } from './keyword-changes.ts'

export const CONTEXTS = ['home', 'notifications', 'public', 'thread', 'account'] as const satisfies FilterContext[]
export const ACTIONS = ['warn', 'blur', 'hide'] as const satisfies Filter['filterAction'][]

/** What the user decides about a filter. `expiresIn`: in seconds, 0 for never; without it, the time stays. */
export interface FilterSettings {
  title: string
  context: FilterContext[]
  filterAction: Filter['filterAction']
  expiresIn?: number
  keywordsAttributes: KeywordChange[]
}

export const filtersQuery = queryOptions({
  queryKey: ['filters'],
  queryFn: async () => (await api().v2.filters.list()) as unknown as Filter[],
})

export const filterQuery = (id: string) =>
  queryOptions({
    queryKey: ['filter', id],
    queryFn: async () => (await api().v2.filters.$select(id).fetch()) as unknown as Filter,
  })

/** Returns whether a filter has expired, so that it does nothing. */
export const isExpired = ({ expiresAt }: Filter): boolean => expiresAt !== null && Date.parse(expiresAt) <= Date.now()

/** Returns functions that change filters and what is shown of them. They throw the errors of the requests. */
export function useFilterChanges() {
  const queryClient = useQueryClient()
  const changed = async (id: string) => {
    refreshTimelines()
    await Promise.all([
      queryClient.invalidateQueries(filtersQuery),
      queryClient.invalidateQueries(filterQuery(id)),
      queryClient.invalidateQueries({ queryKey: ['context'] }),
    ])
  }
  /** Loads a status again, since filters decide what is shown of it. */
  const refreshStatus = async (id: string) => {
    saveStatus((await api().v1.statuses.$select(id).fetch()) as unknown as Status)
  }
  return {
    async createFilter(settings: FilterSettings): Promise<string> {
      // The type of masto.js lacks keywords that are removed, which a new filter does not have.
      const { id } = await api().v2.filters.create(
        settings as Parameters<mastodon.rest.v2.FiltersResource['create']>[0],
      )
      await changed(id)
      return id
    },
    async updateFilter(id: string, settings: FilterSettings): Promise<void> {
      await api().v2.filters.$select(id).update(settings)
      await changed(id)
    },
    async deleteFilter(id: string): Promise<void> {
      await api().v2.filters.$select(id).remove()
      queryClient.setQueryData(filtersQuery.queryKey, (filters) => filters?.filter((filter) => filter.id !== id))
      refreshTimelines()
    },
    async addStatus(filterId: string, statusId: string): Promise<void> {
      await api().v2.filters.$select(filterId).statuses.create({ statusId })
      await Promise.all([changed(filterId), refreshStatus(statusId)])
    },
    async removeStatus(filterId: string, { id, statusId }: FilterStatus): Promise<void> {
      await api().v2.filters.statuses.$select(id).remove()
      await Promise.all([changed(filterId), refreshStatus(statusId).catch(() => undefined)])
    },
  }
}

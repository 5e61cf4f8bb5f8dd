import { queryOptions } from '@tanstack/react-query'
import { fetchOrRecall } from '../../lib/api/recall.ts'
import { api } from '../../lib/session.ts'
import type { Instance } from '../../lib/api/entities.ts'

/** What the server says about itself: its limits, rules and optional features. */
export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: async () => fetchOrRecall('instance', async () => (await api().v2.instance.fetch()) as unknown as Instance),
  staleTime: Number.POSITIVE_INFINITY,
  networkMode: 'always',
})

/** The limits of posts, media and polls. */
export const configurationQuery = queryOptions({ ...instanceQuery, select: ({ configuration }) => configuration })

/** The languages that posts may have, with their English names. */
export const languagesQuery = queryOptions({
  queryKey: ['instance-languages'],
  queryFn: async () => (await api().v1.instance.languages.list()) as unknown as { code: string; name: string }[],
  staleTime: Number.POSITIVE_INFINITY,
})

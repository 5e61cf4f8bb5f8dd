import { queryOptions } from '@tanstack/react-query'
import { fetchOrRecall } from '../../lib/api/recall.ts'
import { sendRequest } from '../../lib/api/send-request.ts'
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

/** The languages into which the server translates, by the language of the post; `und`: of an unknown language. */
export const translationLanguagesQuery = queryOptions({
  queryKey: ['translation-languages'],
  queryFn: async () =>
    sendRequest<Partial<Record<string, string[]>>>({ method: 'GET', path: '/api/v1/instance/translation_languages' }),
  staleTime: Number.POSITIVE_INFINITY,
})

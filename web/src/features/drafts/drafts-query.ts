import { queryOptions } from '@tanstack/react-query'
import { listDrafts } from './draft-store.ts'

/** The drafts of the account in this browser, the newest first. */
export const draftsQuery = queryOptions({
  queryKey: ['drafts'],
  queryFn: listDrafts,
  staleTime: 0,
  networkMode: 'always',
})

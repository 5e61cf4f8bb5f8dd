import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import { isMissing } from '../../../../lib/api/is-missing.ts'
import { Notice } from '../../../../ui/notices/notice.tsx'
import { StatusSkeletons } from '../../../statuses/card/status-skeleton.tsx'

/**
 * The result of a query: grey shapes while it loads, and a button that tries again if it failed, unless the page
 * does not exist.
 */
export function QueryResult<Data>({
  query,
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'isError' | 'error' | 'refetch'>
  children: (data: Data) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (!query.isError) return <StatusSkeletons count={3} />
  if (isMissing(query.error)) return <Notice icon="search" title={message('web.not-found')} />
  return (
    <Notice icon="warning" title={message('web.admin.load-failed')} role="alert">
      <button type="button" className="button" onClick={() => void query.refetch()}>
        {message('web.retry')}
      </button>
    </Notice>
  )
}

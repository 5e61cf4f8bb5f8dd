import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'

/** Shows what a step needs once it is loaded. */
export function Loaded<Data>({
  query: { data, isError, refetch },
  children,
}: {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}) {
  if (data !== undefined) return children(data)
  if (!isError) return <StatusSkeletons count={2} />
  return (
    <Notice icon="warning" title={message('web.failed')} role="alert">
      <button type="button" className="button" onClick={() => void refetch()}>
        {message('web.retry')}
      </button>
    </Notice>
  )
}

import { useQuery } from '@tanstack/react-query'
import { Navigate, useParams, useRouterState } from '@tanstack/react-router'
import { message } from '../../lib/i18n/messages.ts'
import { useEntity } from '../../lib/store/use-entity.ts'
import { StatusSkeletons } from '../../features/statuses/card/status-skeleton.tsx'
import { statusStore } from '../../features/statuses/status-store.ts'
import { isMissing, statusQuery } from '../../features/statuses/thread/thread-queries.ts'
import { Thread } from '../../features/statuses/thread/thread.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'

export function ThreadPage() {
  return (
    <>
      <PageHead title={message('web.thread.title')} back />
      <ThreadOfPath />
    </>
  )
}

function ThreadOfPath() {
  const { acct, id } = useParams({ from: '/@{$acct}/$id' })
  const historyKey = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? location.href })
  const { isSuccess, error, refetch } = useQuery(statusQuery(id))
  // A status that a timeline has loaded already is shown at once.
  const status = useEntity(statusStore, id)
  if (status && status.account.acct !== acct)
    return <Navigate to="/@{$acct}/$id" params={{ acct: status.account.acct, id }} replace />
  if (status) return <Thread key={id} status={status} historyKey={historyKey} />
  if (isSuccess || isMissing(error))
    return (
      <Notice icon="search" title={message('web.thread.missing')}>
        <p>{message('web.thread.missing-hint')}</p>
      </Notice>
    )
  if (!error) return <StatusSkeletons count={1} />
  return (
    <Notice icon="warning" title={message('web.thread.failed')} role="alert">
      <button type="button" className="button" onClick={() => void refetch()}>
        {message('web.retry')}
      </button>
    </Notice>
  )
}

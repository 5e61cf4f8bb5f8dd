import { Navigate, useParams, useRouterState } from '@tanstack/react-router'
import { message } from '../../lib/i18n/messages.ts'
import { useEntity } from '../../lib/store/use-entity.ts'
import { statusStore } from '../../features/statuses/status-store.ts'
import { LoadedThread } from '../../features/statuses/thread/loaded-thread.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

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
  const status = useEntity(statusStore, id)
  if (status && status.account.acct !== acct)
    return <Navigate to="/@{$acct}/$id" params={{ acct: status.account.acct, id }} replace />
  return <LoadedThread id={id} historyKey={historyKey} area={null} />
}

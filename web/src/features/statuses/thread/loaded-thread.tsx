import { useQuery } from '@tanstack/react-query'
import { message } from '../../../lib/i18n/messages.ts'
import { useEntity } from '../../../lib/store/use-entity.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import type { ScrollArea } from '../../timelines/scroll-area.ts'
import { StatusSkeletons } from '../card/status-skeleton.tsx'
import { statusStore } from '../status-store.ts'
import { isMissing } from '../../../lib/api/is-missing.ts'
import { statusQuery } from './thread-queries.ts'
import { Thread } from './thread.tsx'

/**
 * The thread of a status, once it is loaded. A status that a timeline has loaded already is shown at once.
 * `historyKey` identifies the entry of the browser's history, `area` scrolls the thread.
 */
export function LoadedThread({ id, historyKey, area }: { id: string; historyKey: string; area: ScrollArea }) {
  const { isSuccess, error, refetch } = useQuery(statusQuery(id))
  const status = useEntity(statusStore, id)
  if (status) return <Thread key={id} status={status} historyKey={historyKey} area={area} />
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

import { message } from '../../lib/i18n/messages.ts'
import { useOnline } from '../../lib/use-online.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

/** A path that the client does not know. */
export function NotFoundPage() {
  const isOnline = useOnline()
  // Without a network, the service worker opens the client at every path.
  const title = message(isOnline ? 'web.not-found' : 'web.offline.page')
  return (
    <>
      <PageHead title={title} back />
      <Notice icon="search" title={title} />
    </>
  )
}

/** A page that failed to load or to render. Reloading it also loads a newer version of the client. */
export function FailedPage() {
  return (
    <Notice icon="warning" title={message('web.failed')} role="alert">
      <button type="button" className="button" onClick={() => location.reload()}>
        {message('web.retry')}
      </button>
    </Notice>
  )
}

import { message } from '../../lib/i18n/messages.ts'
import { Notice } from '../../ui/notices/notice.tsx'

/** What is shown when a part of the page could not be loaded. */
export function TrendFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice icon="warning" title={message('web.explore.failed')} role="alert">
      <button type="button" className="button" onClick={onRetry}>
        {message('web.retry')}
      </button>
    </Notice>
  )
}

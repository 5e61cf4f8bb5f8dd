import { Link } from '@tanstack/react-router'
import { message } from '../../lib/i18n/messages.ts'
import { DraftsList } from '../../features/drafts/drafts-list.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

export function DraftsPage() {
  return (
    <>
      <PageHead title={message('web.drafts.title')} back>
        <Link to="/scheduled" className="button button-line button-small">
          {message('web.scheduled.title')}
        </Link>
      </PageHead>
      <DraftsList />
    </>
  )
}

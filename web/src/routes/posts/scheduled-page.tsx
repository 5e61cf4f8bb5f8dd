import { message } from '../../lib/i18n/messages.ts'
import { ScheduledList } from '../../features/drafts/scheduled-list.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

export function ScheduledPage() {
  return (
    <>
      <PageHead title={message('web.scheduled.title')} back />
      <ScheduledList />
    </>
  )
}

import { ConversationList } from '../../features/conversations/conversation-list.tsx'
import { message } from '../../lib/i18n/messages.ts'
import { PageHead } from '../../ui/page/page-head.tsx'
import { useScrollPosition } from '../../ui/lists/use-scroll-position.ts'

export function ConversationsPage() {
  useScrollPosition()
  return (
    <>
      <PageHead title={message('web.nav.conversations')} />
      <ConversationList />
    </>
  )
}

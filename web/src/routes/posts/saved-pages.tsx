import { message } from '../../lib/i18n/messages.ts'
import { PinButton } from '../../features/columns/pin-button.tsx'
import { Timeline } from '../../features/timelines/timeline.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

export function BookmarksPage() {
  const title = message('web.accounts.bookmarks')
  return (
    <>
      <PageHead title={title} back>
        <PinButton />
      </PageHead>
      <Timeline
        name={{ type: 'bookmarks' }}
        label={title}
        empty={<Notice icon="bookmark" title={message('web.accounts.bookmarks-empty')} />}
      />
    </>
  )
}

export function FavouritesPage() {
  const title = message('web.accounts.favourites')
  return (
    <>
      <PageHead title={title} back>
        <PinButton />
      </PageHead>
      <Timeline
        name={{ type: 'favourites' }}
        label={title}
        empty={<Notice icon="favourite" title={message('web.accounts.favourites-empty')} />}
      />
    </>
  )
}

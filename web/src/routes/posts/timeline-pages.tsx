import { Link } from '@tanstack/react-router'
import { message } from '../../lib/i18n/messages.ts'
import { AnnualReportEntry } from '../../features/annual-reports/annual-report-entry.tsx'
import { AnnouncementBar } from '../../features/announcements/announcement-bar.tsx'
import { PinButton } from '../../features/columns/pin-button.tsx'
import { Timeline } from '../../features/timelines/timeline.tsx'
import { useFirstPosts } from '../../features/timelines/use-first-posts.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'

export function HomePage() {
  const title = message('web.nav.home')
  const isIdle = useFirstPosts()
  return (
    <>
      <PageHead title={title}>
        <PinButton />
      </PageHead>
      <AnnouncementBar />
      {isIdle && <AnnualReportEntry />}
      <Timeline
        name={{ type: 'home' }}
        label={title}
        empty={
          <Notice icon="home" title={message('web.home.empty')}>
            <Link to="/start" className="button">
              {message('web.home.start')}
            </Link>
          </Notice>
        }
      />
    </>
  )
}

export function LocalPage() {
  const title = message('web.nav.local')
  return (
    <>
      <PageHead title={title}>
        <PinButton />
      </PageHead>
      <Timeline
        name={{ type: 'local' }}
        label={title}
        empty={<Notice icon="people" title={message('web.timeline.empty')} />}
      />
    </>
  )
}

export function PublicPage() {
  const title = message('web.nav.public')
  return (
    <>
      <PageHead title={title}>
        <PinButton />
      </PageHead>
      <Timeline
        name={{ type: 'public' }}
        label={title}
        empty={<Notice icon="globe" title={message('web.timeline.empty')} />}
      />
    </>
  )
}

export function RemotePage() {
  const title = message('web.nav.remote')
  return (
    <>
      <PageHead title={title}>
        <PinButton />
      </PageHead>
      <Timeline
        name={{ type: 'remote' }}
        label={title}
        empty={<Notice icon="globe" title={message('web.timeline.empty')} />}
      />
    </>
  )
}

import { Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { message } from '../lib/i18n/messages.ts'
import { AnnouncementBar } from '../features/announcements/announcement-bar.tsx'
import { PinButton } from '../features/columns/pin-button.tsx'
import { Timeline } from '../features/timelines/timeline.tsx'
import { Notice } from '../ui/notice.tsx'
import { PageHead } from '../ui/page-head.tsx'

/** Loaded after the timeline, which does not need it. */
const AnnualReportEntry = lazy(async () => ({
  default: (await import('../features/annual-reports/annual-report-entry.tsx')).AnnualReportEntry,
}))

export function HomePage() {
  const title = message('web.nav.home')
  return (
    <>
      <PageHead title={title}>
        <PinButton />
      </PageHead>
      <AnnouncementBar />
      <Suspense fallback={null}>
        <AnnualReportEntry />
      </Suspense>
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

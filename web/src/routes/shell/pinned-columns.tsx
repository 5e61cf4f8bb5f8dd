import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { toggleColumn } from '../../features/columns/pinned-columns.ts'
import { listQuery } from '../../features/lists/list-queries.ts'
import { NotificationList } from '../../features/notifications/list/notification-list.tsx'
import { Timeline } from '../../features/timelines/timeline.tsx'
import type { TimelineName } from '../../features/timelines/timeline-sources.ts'
import { message } from '../../lib/i18n/messages.ts'
import type { MessageId } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { Column } from './column.tsx'

/** The pages that are always the same timeline. */
const FIXED = {
  '/home': { name: { type: 'home' }, title: 'web.nav.home' },
  '/public': { name: { type: 'public' }, title: 'web.nav.public' },
  '/public/local': { name: { type: 'local' }, title: 'web.nav.local' },
  '/public/remote': { name: { type: 'remote' }, title: 'web.nav.remote' },
  '/bookmarks': { name: { type: 'bookmarks' }, title: 'web.accounts.bookmarks' },
  '/favourites': { name: { type: 'favourites' }, title: 'web.accounts.favourites' },
} as const satisfies Record<string, { name: TimelineName; title: MessageId }>

const isFixed = (path: string): path is keyof typeof FIXED => Object.hasOwn(FIXED, path)

/** The pages that the user has pinned, as columns that scroll on their own. */
export function PinnedColumns({ paths }: { paths: readonly string[] }) {
  return paths.map((path) => <PinnedColumn key={path} path={path} />)
}

function PinnedColumn({ path }: { path: string }) {
  const [, kind, argument = ''] = path.split('/').map(decodeURIComponent)
  if (isFixed(path)) return <TimelineColumn path={path} title={message(FIXED[path].title)} name={FIXED[path].name} />
  if (kind === 'notifications') return <NotificationColumn path={path} />
  if (kind === 'tags')
    return <TimelineColumn path={path} title={`#${argument}`} name={{ type: 'tag', tag: argument }} />
  if (kind === 'lists') return <ListColumn path={path} id={argument} />
  return null
}

function ListColumn({ path, id }: { path: string; id: string }) {
  const { data: list } = useQuery(listQuery(id))
  return <TimelineColumn path={path} title={list?.title ?? message('web.list.list')} name={{ type: 'list', id }} />
}

function TimelineColumn({ path, title, name }: { path: string; title: string; name: TimelineName }) {
  return (
    <PinnedPage path={path} title={title}>
      {(area) => (
        <Timeline
          name={name}
          label={title}
          area={area}
          empty={<Notice icon="home" title={message('web.timeline.empty')} />}
        />
      )}
    </PinnedPage>
  )
}

function NotificationColumn({ path }: { path: string }) {
  const title = message('web.nav.notifications')
  return (
    <PinnedPage path={path} title={title}>
      {() => <NotificationList name={{ tab: 'all' }} label={title} />}
    </PinnedPage>
  )
}

function PinnedPage({
  path,
  title,
  children,
}: {
  path: string
  title: string
  children: (area: HTMLElement) => ReactNode
}) {
  const label = message('web.columns.unpin', { name: title })
  return (
    <Column
      title={
        <Link to={path} dir="auto">
          {title}
        </Link>
      }
      end={
        <button
          type="button"
          className="icon-button"
          aria-label={label}
          title={label}
          onClick={() => toggleColumn(path)}
        >
          <Icon name="close" />
        </button>
      }
    >
      {children}
    </Column>
  )
}

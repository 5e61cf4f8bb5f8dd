import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { ReactNode } from 'react'
import { toggleColumn } from '../../features/columns/pinned-columns.ts'
import { listQuery } from '../../features/lists/list-queries.ts'
import { NotificationList } from '../../features/notifications/list/notification-list.tsx'
import { Timeline } from '../../features/timelines/timeline.tsx'
import type { TimelineName } from '../../features/timelines/timeline-sources.ts'
import { message } from '../../lib/i18n/messages.ts'
import type { MessageId } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import styles from './pinned-columns.module.css'

/** The pages that are always the same timeline. */
const FIXED = {
  '/home': { name: { type: 'home' }, title: 'web.nav.home' },
  '/public': { name: { type: 'public' }, title: 'web.nav.public' },
  '/public/local': { name: { type: 'local' }, title: 'web.nav.local' },
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
    <Column path={path} title={title}>
      {(area) => (
        <Timeline
          name={name}
          label={title}
          area={area}
          empty={<Notice icon="home" title={message('web.timeline.empty')} />}
        />
      )}
    </Column>
  )
}

function NotificationColumn({ path }: { path: string }) {
  const title = message('web.nav.notifications')
  return (
    <Column path={path} title={title}>
      {() => <NotificationList name={{ tab: 'all' }} label={title} />}
    </Column>
  )
}

function Column({
  path,
  title,
  children,
}: {
  path: string
  title: string
  children: (area: HTMLElement) => ReactNode
}) {
  // The rows need the element when they are rendered first.
  const [area, setArea] = useState<HTMLDivElement | null>(null)
  const titleId = useId()
  return (
    <section className={styles.column} aria-labelledby={titleId}>
      <header className={styles.head}>
        <h2 id={titleId} className={styles.title}>
          <Link to={path} dir="auto">
            {title}
          </Link>
        </h2>
        <button
          type="button"
          className="icon-button"
          aria-label={message('web.columns.unpin', { name: title })}
          title={message('web.columns.unpin', { name: title })}
          onClick={() => toggleColumn(path)}
        >
          <Icon name="close" />
        </button>
      </header>
      <div ref={setArea} className={styles.content}>
        {area && children(area)}
      </div>
    </section>
  )
}

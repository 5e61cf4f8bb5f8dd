import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { PinButton } from '../../features/columns/pin-button.tsx'
import { ListDialog } from '../../features/lists/list-dialog.tsx'
import { ListMembersDialog } from '../../features/lists/list-members-dialog.tsx'
import { ListMenu, ListOverview } from '../../features/lists/list-overview.tsx'
import { listQuery } from '../../features/lists/list-queries.ts'
import { StatusSkeletons } from '../../features/statuses/card/status-skeleton.tsx'
import { Timeline } from '../../features/timelines/timeline.tsx'
import { message } from '../../lib/i18n/messages.ts'
import type { List } from '../../lib/api/entities.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { LoadingFailed } from '../../ui/lists/paged-list.tsx'
import styles from './list-pages.module.css'

export function ListsPage() {
  const [isCreating, setIsCreating] = useState(false)
  const navigate = useNavigate()
  return (
    <>
      <PageHead title={message('web.list.lists')} back>
        <button type="button" className="button button-small" onClick={() => setIsCreating(true)}>
          <Icon name="plus" />
          {message('web.list.new')}
        </button>
      </PageHead>
      <ListOverview />
      {isCreating && (
        <ListDialog
          onSaved={({ id }) => void navigate({ to: '/lists/$id', params: { id } })}
          onClose={() => setIsCreating(false)}
        />
      )}
    </>
  )
}

export function ListPage() {
  const { id } = useParams({ from: '/lists/$id' })
  const { data: list, isError, error, refetch } = useQuery(listQuery(id))
  if (list) return <ListTimeline key={id} list={list} />
  return (
    <>
      <PageHead title={message('web.list.list')} back />
      {isError ? <LoadingFailed error={error} retry={() => void refetch()} /> : <StatusSkeletons />}
    </>
  )
}

function ListTimeline({ list }: { list: List }) {
  const [hasMembersOpen, setHasMembersOpen] = useState(false)
  /** Changes after the members or the settings have changed, which replaces the timeline. */
  const [version, setVersion] = useState(0)
  const navigate = useNavigate()
  return (
    <>
      <PageHead title={list.title} back>
        <PinButton />
        <button
          type="button"
          className={`button button-line button-small ${styles.members}`}
          aria-label={message('web.list.members')}
          title={message('web.list.members')}
          onClick={() => setHasMembersOpen(true)}
        >
          <Icon name="people" />
          <span>{message('web.list.members')}</span>
        </button>
        <ListMenu list={list} onDeleted={() => void navigate({ to: '/lists', replace: true })} />
      </PageHead>
      <Timeline
        key={`${version} ${list.repliesPolicy}`}
        name={{ type: 'list', id: list.id }}
        label={list.title}
        empty={
          <Notice icon="list" title={message('web.list.timeline-empty')}>
            <p>{message('web.list.timeline-hint')}</p>
          </Notice>
        }
      />
      {hasMembersOpen && (
        <ListMembersDialog
          list={list}
          onClose={() => {
            setHasMembersOpen(false)
            setVersion(version + 1)
          }}
        />
      )}
    </>
  )
}

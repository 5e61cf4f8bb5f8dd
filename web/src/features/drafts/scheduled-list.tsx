import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { api } from '../../lib/session.ts'
import type { ScheduledStatus } from '../../lib/api/entities.ts'
import { reasonOf } from '../../lib/api/reason-of.ts'
import { formatFullTime } from '../../lib/i18n/formats.ts'
import { earliestTime, toLocalTime } from '../../lib/i18n/local-time.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import { focusNeighbour } from './focus-neighbour.ts'
import { restoreScheduled } from './restore-scheduled.ts'
import { scheduledQueryKey } from './scheduled-query.ts'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import styles from './drafts-list.module.css'

const PAGE_SIZE = 20

/** The posts that the server will publish later. The user can change their times and cancel them. */
export function ScheduledList() {
  const { data, isError, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: scheduledQueryKey,
    queryFn: async ({ pageParam: maxId }) =>
      (await api().v1.scheduledStatuses.list({ maxId, limit: PAGE_SIZE })) as unknown as ScheduledStatus[],
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.length < PAGE_SIZE ? undefined : page.at(-1)?.id),
  })
  if (isError)
    return (
      <Notice icon="warning" title={message('web.scheduled.failed')} role="alert">
        <button type="button" className="button" onClick={() => void refetch()}>
          {message('web.retry')}
        </button>
      </Notice>
    )
  if (!data) return <StatusSkeletons count={2} />
  const scheduled = data.pages.flat().toSorted((a, b) => Date.parse(a.scheduledAt) - Date.parse(b.scheduledAt))
  if (scheduled.length === 0) return <Notice icon="clock" title={message('web.scheduled.empty')} />
  return (
    <>
      <ul>
        {scheduled.map((one) => (
          <li key={one.id} className={styles.item}>
            <ScheduledRow scheduled={one} />
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <p className={styles.more}>
          <SteadyButton
            className="button button-line"
            isUnusable={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {message('web.scheduled.more')}
          </SteadyButton>
        </p>
      )}
    </>
  )
}

function ScheduledRow({ scheduled }: { scheduled: ScheduledStatus }) {
  const { id, params, mediaAttachments } = scheduled
  const queryClient = useQueryClient()
  const restore = async (key: string): Promise<void> => {
    try {
      await restoreScheduled(scheduled, key)
      await queryClient.invalidateQueries({ queryKey: scheduledQueryKey })
    } catch (error) {
      showToast({
        kind: 'alert',
        text: reasonOf(error, message('web.settings.failed')),
        action: { label: message('web.retry'), run: () => void restore(key) },
      })
    }
  }
  const cancel = useMutation({
    mutationFn: async () => api().v1.scheduledStatuses.$select(id).remove(),
    onSuccess: () => {
      const key = crypto.randomUUID()
      showToast({
        kind: 'good',
        text: message('web.scheduled.cancelled'),
        action: { label: message('web.drafts.undo'), run: () => void restore(key) },
      })
    },
    onError: () =>
      showToast({
        kind: 'alert',
        text: message('web.scheduled.cancel-failed'),
        action: { label: message('web.retry'), run: () => cancel.mutate() },
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: scheduledQueryKey }),
  })
  const title = params.spoilerText || params.text || message('web.drafts.no-text')
  return (
    <>
      <div className={styles.body}>
        <p className={styles.text} dir="auto" lang={params.language ?? undefined}>
          {title}
        </p>
        {mediaAttachments.length > 0 && (
          <p className={styles.media}>
            {mediaAttachments.map((media) => (
              <img key={media.id} src={media.previewUrl ?? undefined} alt={media.description ?? ''} loading="lazy" />
            ))}
          </p>
        )}
        <TimeForm scheduled={scheduled} />
      </div>
      <button
        type="button"
        className={styles.icon}
        aria-label={message('web.scheduled.cancel', { text: title.slice(0, 60) })}
        title={message('web.scheduled.cancel-post')}
        disabled={cancel.isPending}
        onClick={({ currentTarget }) => {
          focusNeighbour(currentTarget)
          cancel.mutate()
        }}
      >
        <Icon name="trash" />
      </button>
    </>
  )
}

/** When the post is published, with a field to change it. */
function TimeForm({ scheduled: { id, scheduledAt } }: { scheduled: ScheduledStatus }) {
  const fieldId = useId()
  const queryClient = useQueryClient()
  const [time, setTime] = useState<string | null>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const isOpen = time !== null
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  const update = useMutation({
    mutationFn: async (at: string) =>
      api()
        .v1.scheduledStatuses.$select(id)
        .update({ scheduledAt: new Date(at).toISOString() }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: scheduledQueryKey })
      setTime(null)
    },
  })
  if (time === null)
    return (
      <p className={styles.time}>
        <Icon name="clock" />
        <time dateTime={scheduledAt}>{formatFullTime(new Date(scheduledAt))}</time>
        <button
          ref={opener}
          type="button"
          className="button button-line button-small"
          onClick={() => setTime(toLocalTime(new Date(scheduledAt)))}
        >
          {message('web.scheduled.change-time')}
        </button>
      </p>
    )
  return (
    <form
      className={styles.time}
      onSubmit={(event) => {
        event.preventDefault()
        update.mutate(time)
      }}
    >
      <label className="unseen" htmlFor={fieldId}>
        {message('web.composer.schedule-time')}
      </label>
      <input
        id={fieldId}
        type="datetime-local"
        autoFocus
        required
        min={earliestTime()}
        value={time}
        onChange={({ target }) => setTime(target.value)}
      />
      <SteadyButton type="submit" className="button button-small" isUnusable={update.isPending}>
        {message('web.composer.save')}
      </SteadyButton>
      <button type="button" className="button button-line button-small" onClick={() => setTime(null)}>
        {message('web.cancel')}
      </button>
      {update.isError && (
        <p className={styles.error} role="alert">
          {reasonOf(update.error, message('web.settings.failed'))}
        </p>
      )}
    </form>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminJob } from '../../../lib/api/admin-entities.ts'
import { formatFullTime, formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { ActionButton } from '../shared/decisions/action-button.tsx'
import { ConfirmedButton } from '../shared/decisions/confirmed-button.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { offsetQuery } from '../shared/list/offset-query.ts'
import { StateMark } from '../shared/list/state-mark.tsx'
import { JOB_STATES } from './job-filters.ts'
import type { JobFilters } from './job-filters.ts'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'

const TONES = { dead: 'alert', retrying: 'alert', running: 'good', waiting: 'plain', parked: 'plain' } as const

const jobsQuery = (state: JobFilters['state']) =>
  offsetQuery(
    ['jobs', state],
    async (page) => (await adminApi('jobs').fetch({ ...page, ...(state && { state }) })) as AdminJob[],
  )

/** The background jobs of all queues, the newest first. */
export function JobList({ state }: JobFilters) {
  const query = useInfiniteQuery(jobsQuery(state))
  return (
    <>
      <nav className={admin.tabs} aria-label={message('web.admin.filter')}>
        {([undefined, ...JOB_STATES] as const).map((name) => (
          <Link
            key={name ?? 'all'}
            to="/admin/jobs"
            search={name ? { state: name } : {}}
            activeOptions={{ exact: true }}
            aria-current={name === state}
          >
            {message(name ? `web.admin.jobs.state.${name}` : 'web.admin.accounts.all')}
          </Link>
        ))}
      </nav>
      {state && <p className={`${admin.part} ${admin.soft}`}>{message(`web.admin.jobs.explained.${state}`)}</p>}
      <AdminList query={query} empty={message('web.admin.jobs.empty')}>
        {(job) => <Job job={job} />}
      </AdminList>
    </>
  )
}

function Job({ job }: { job: AdminJob }) {
  const article = useRef<HTMLElement>(null)
  const { id, queue, state, attempts, maxAttempts, runAt, createdAt, lastError } = job
  const name = `${job.name} ${id}`
  return (
    <article ref={article} className={row.row} tabIndex={0} aria-label={name}>
      <div className={row.body}>
        <p className={admin.actions}>
          <strong dir="ltr">{job.name}</strong>
          <StateMark tone={TONES[state]}>{message(`web.admin.jobs.state.${state}`)}</StateMark>
        </p>
        <p className={admin.soft}>
          {message('web.admin.jobs.queue', { queue })}
          {' · '}
          {message('web.admin.jobs.attempts', {
            attempts: formatNumber(attempts),
            maximum: formatNumber(maxAttempts),
          })}
          {' · '}
          <TimeAgo time={createdAt} />
        </p>
        {(state === 'retrying' || state === 'waiting') && (
          <p className={admin.soft}>{message('web.admin.next-attempt', { time: formatFullTime(new Date(runAt)) })}</p>
        )}
        {lastError !== null && (
          <p className={row.trouble} dir="auto">
            {lastError}
          </p>
        )}
      </div>
      <div className={admin.actions}>
        {state === 'dead' && (
          <ActionButton
            label={message('web.retry')}
            name={name}
            action={{
              run: () => adminApi('jobs', id, 'retry').create(),
              done: message('web.admin.retried', { name }),
            }}
          />
        )}
        {state !== 'running' && (
          <ConfirmedButton
            label={message('web.admin.delete')}
            name={name}
            title={message('web.admin.delete-question', { name })}
            text={message('web.admin.jobs.delete-text')}
            action={{
              run: () => adminApi('jobs', id).remove(),
              done: message('web.admin.deleted', { name }),
              after: () => focusNeighbour(article.current),
            }}
          />
        )}
      </div>
    </article>
  )
}

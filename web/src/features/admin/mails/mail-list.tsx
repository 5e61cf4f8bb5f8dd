import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminMail } from '../../../lib/api/admin-entities.ts'
import { formatFullTime } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { ActionButton } from '../shared/decisions/action-button.tsx'
import { ConfirmedButton } from '../shared/decisions/confirmed-button.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { listQuery } from '../shared/list/list-query.ts'
import { StateMark } from '../shared/list/state-mark.tsx'
import { MAIL_STATES } from './mail-filters.ts'
import type { MailFilters } from './mail-filters.ts'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'

const TONES = { failed: 'alert', stored: 'plain', queued: 'good' } as const

const mailsQuery = (state: MailFilters['state']) =>
  listQuery(
    ['mails', state],
    async (page) => (await adminApi('mails').fetch({ ...page, ...(state && { state }) })) as AdminMail[],
  )

/** The mails that were not sent, the newest first. The API does not return their texts, which contain secret links. */
export function MailList({ state }: MailFilters) {
  const query = useInfiniteQuery(mailsQuery(state))
  return (
    <>
      <nav className={admin.tabs} aria-label={message('web.admin.filter')}>
        {([undefined, ...MAIL_STATES] as const).map((name) => (
          <Link
            key={name ?? 'all'}
            to="/admin/mails"
            search={name ? { state: name } : {}}
            activeOptions={{ exact: true }}
            aria-current={name === state}
          >
            {message(name ? `web.admin.mails.state.${name}` : 'web.admin.accounts.all')}
          </Link>
        ))}
      </nav>
      <p className={`${admin.part} ${admin.soft}`}>
        {message(state ? `web.admin.mails.explained.${state}` : 'web.admin.mails.explained')}
      </p>
      <AdminList query={query} empty={message('web.admin.mails.empty')}>
        {(mail) => <Mail mail={mail} />}
      </AdminList>
    </>
  )
}

function Mail({ mail }: { mail: AdminMail }) {
  const article = useRef<HTMLElement>(null)
  const { id, state, recipient, subject, attempts, lastError, nextAttemptAt, createdAt } = mail
  return (
    <article ref={article} className={row.row} tabIndex={0} aria-label={`${subject}, ${recipient}`}>
      <div className={row.body}>
        <p className={admin.actions}>
          <strong dir="auto">{subject}</strong>
          <StateMark tone={TONES[state]}>{message(`web.admin.mails.state.${state}`)}</StateMark>
        </p>
        <p>
          <bdi>{recipient}</bdi>
        </p>
        <p className={admin.soft}>
          {message('web.admin.attempts', { count: attempts })} · <TimeAgo time={createdAt} />
        </p>
        {nextAttemptAt !== null && (
          <p className={admin.soft}>
            {message('web.admin.next-attempt', { time: formatFullTime(new Date(nextAttemptAt)) })}
          </p>
        )}
        {lastError !== null && (
          <p className={row.trouble} dir="auto">
            {lastError}
          </p>
        )}
      </div>
      <div className={admin.actions}>
        {state !== 'queued' && (
          <ActionButton
            label={message('web.admin.mails.send')}
            name={subject}
            action={{
              run: () => adminApi('mails', id, 'retry').create(),
              done: message('web.admin.mails.queued', { recipient }),
            }}
          />
        )}
        <ConfirmedButton
          label={message('web.admin.delete')}
          name={subject}
          title={message('web.admin.mails.delete-question', { recipient })}
          text={message('web.admin.mails.delete-text')}
          action={{
            run: () => adminApi('mails', id).remove(),
            done: message('web.admin.mails.deleted', { recipient }),
            after: () => focusNeighbour(article.current),
          }}
        />
      </div>
    </article>
  )
}

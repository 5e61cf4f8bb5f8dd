import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminTermsOfService } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { formatFullTime } from '../../../lib/i18n/formats.ts'
import { formatUtcDay } from '../../../lib/i18n/utc-day.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { ConfirmedButton } from '../shared/decisions/confirmed-button.tsx'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { TermsDialog } from './terms-dialog.tsx'
import { TermsNotificationDialog } from './terms-notification-dialog.tsx'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'
import styles from './settings.module.css'

const termsQuery = queryOptions({
  queryKey: ['admin', 'terms-of-service'],
  queryFn: async () => (await adminApi('terms_of_service').fetch()) as AdminTermsOfService[],
})

/** The versions of the terms of service, the latest first. */
export function TermsOfService() {
  const query = useQuery(termsQuery)
  const [edited, setEdited] = useState<AdminTermsOfService | 'new' | null>(null)
  const [announced, setAnnounced] = useState<AdminTermsOfService | null>(null)
  return (
    <>
      <div className={styles.group}>
        <p>{message('web.admin.terms.text')}</p>
        <p className={admin.actions}>
          <button type="button" className="button" onClick={() => setEdited('new')}>
            {message('web.admin.terms.new')}
          </button>
        </p>
      </div>
      <QueryResult query={query}>
        {(versions) => (
          <>
            {versions.length === 0 && <Notice icon="check" title={message('web.admin.terms.empty')} />}
            {versions.map((version) => (
              <Version
                key={version.effectiveDate}
                version={version}
                onEdit={() => setEdited(version)}
                onNotify={() => setAnnounced(version)}
              />
            ))}
            {edited !== null && (
              <TermsDialog
                version={edited === 'new' ? null : edited}
                versions={versions}
                onClose={() => setEdited(null)}
              />
            )}
            {announced && <TermsNotificationDialog version={announced} onClose={() => setAnnounced(null)} />}
          </>
        )}
      </QueryResult>
    </>
  )
}

function Version({
  version,
  onEdit,
  onNotify,
}: {
  version: AdminTermsOfService
  onEdit: () => void
  onNotify: () => void
}) {
  const article = useRef<HTMLElement>(null)
  const queryClient = useQueryClient()
  const { effectiveDate, text, changelog, notificationSentAt } = version
  const date = formatUtcDay(new Date(effectiveDate))
  const refresh = async () => queryClient.invalidateQueries({ queryKey: termsQuery.queryKey })
  const remove = () =>
    void runOrReport(async () => {
      await adminApi('terms_of_service', effectiveDate).remove()
      focusNeighbour(article.current)
      showDecision({
        text: message('web.admin.terms.deleted', { date }),
        undo: async () => {
          await adminApi('terms_of_service').create({ text, changelog, effectiveDate })
          await refresh()
        },
      })
      await refresh()
    })
  return (
    <article ref={article} className={row.row} tabIndex={0} aria-label={date}>
      <div className={row.body}>
        <strong>{date}</strong>
        <p>{stateOf(version)}</p>
        {notificationSentAt !== null && (
          <p>{message('web.admin.terms.notified', { date: formatFullTime(new Date(notificationSentAt)) })}</p>
        )}
        <details>
          <summary>{message('web.admin.terms.show')}</summary>
          <div className={styles.version} dir="auto" tabIndex={0} role="region" aria-label={date}>
            {text}
          </div>
        </details>
      </div>
      <div className={admin.actions}>
        {notificationSentAt === null && !isReplaced(version) && (
          <button
            type="button"
            className="button button-line button-small"
            aria-label={message('web.admin.terms.notify-name', { date })}
            onClick={onNotify}
          >
            {message('web.admin.terms.notify')}
          </button>
        )}
        {!version.effective && (
          <button
            type="button"
            className="button button-line button-small"
            aria-label={message('web.admin.edit-name', { name: date })}
            onClick={onEdit}
          >
            {message('web.admin.edit')}
          </button>
        )}
        {notificationSentAt === null ? (
          <button
            type="button"
            className="button button-line button-small"
            aria-label={message('web.admin.delete-name', { name: date })}
            onClick={remove}
          >
            {message('web.admin.delete')}
          </button>
        ) : (
          // A version that is created again has lost which users were notified.
          <ConfirmedButton
            label={message('web.admin.delete')}
            name={date}
            title={message('web.admin.delete-question', { name: date })}
            action={{
              run: async () => adminApi('terms_of_service', effectiveDate).remove(),
              done: message('web.admin.terms.deleted', { date }),
              after: () => focusNeighbour(article.current),
            }}
          />
        )}
      </div>
    </article>
  )
}

const isReplaced = ({ succeededBy }: AdminTermsOfService): boolean =>
  succeededBy !== null && new Date(succeededBy) <= new Date()

function stateOf(version: AdminTermsOfService): string {
  const { effective, succeededBy } = version
  if (!effective) return message('web.admin.terms.future')
  if (succeededBy === null) return message('web.admin.terms.current')
  const date = formatUtcDay(new Date(succeededBy))
  return message(isReplaced(version) ? 'web.admin.terms.replaced' : 'web.admin.terms.current-until', { date })
}

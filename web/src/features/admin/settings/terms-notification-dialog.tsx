import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminTermsOfService, AdminTermsRecipients } from '../../../lib/api/admin-entities.ts'
import { formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { formatUtcDay } from '../../../lib/i18n/utc-day.ts'
import { announce } from '../../../ui/notices/announcer.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { runOrReport, showDecision } from '../shared/decisions/undo.ts'
import { useSubmit } from '../shared/form/use-submit.ts'
import { QueryResult } from '../shared/list/query-result.tsx'

/** Shows how many users would be notified of a version, sends a test mail, and notifies them. */
export function TermsNotificationDialog({ version, onClose }: { version: AdminTermsOfService; onClose: () => void }) {
  const { effectiveDate, publishedAt } = version
  const endpoint = (action: string) => adminApi('terms_of_service', effectiveDate, action)
  const query = useQuery({
    queryKey: ['admin', 'terms-of-service', effectiveDate, 'recipients'],
    queryFn: async () => (await endpoint('recipients').fetch()) as AdminTermsRecipients,
    staleTime: 0,
  })
  const queryClient = useQueryClient()
  const { failure, isBusy, submit } = useSubmit()
  const [isTested, setIsTested] = useState(false)
  const date = formatUtcDay(new Date(effectiveDate))
  const test = () =>
    void runOrReport(async () => {
      await endpoint('test').create()
      setIsTested(true)
      announce(message('web.admin.terms.notify.tested'))
    })
  const notify = () =>
    void submit(async () => {
      await endpoint('notify').create()
      onClose()
      showDecision({ text: message('web.admin.terms.notify.done', { date }), undo: null })
      await queryClient.invalidateQueries({ queryKey: ['admin', 'terms-of-service'] })
    })
  return (
    <AdminDialog
      title={message('web.admin.terms.notify-name', { date })}
      confirm={message('web.admin.terms.notify')}
      isBusy={isBusy || !query.isSuccess}
      failure={failure}
      onConfirm={notify}
      onClose={onClose}
    >
      <p>{message('web.admin.terms.notify.text', { date: formatUtcDay(new Date(publishedAt)) })}</p>
      <QueryResult query={query}>
        {({ mails, reviews }) => (
          <ul>
            <li>{message('web.admin.terms.notify.mails', { number: mails, count: formatNumber(mails) })}</li>
            <li>{message('web.admin.terms.notify.reviews', { number: reviews, count: formatNumber(reviews) })}</li>
          </ul>
        )}
      </QueryResult>
      <p>
        <button type="button" className="button button-line button-small" onClick={test}>
          {message('web.admin.terms.notify.test')}
        </button>
      </p>
      {isTested && <p>{message('web.admin.terms.notify.tested')}</p>}
    </AdminDialog>
  )
}

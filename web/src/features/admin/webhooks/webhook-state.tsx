import type { AdminWebhook } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { StateMark } from '../shared/list/state-mark.tsx'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'

/** Whether a webhook is enabled, and which of its events are not sent. */
export function WebhookState({ webhook: { enabled, unpermittedEvents } }: { webhook: AdminWebhook }) {
  return (
    <>
      <p className={admin.actions}>
        <StateMark tone={enabled ? 'good' : 'plain'}>
          {message(enabled ? 'web.admin.webhooks.enabled' : 'web.admin.webhooks.disabled')}
        </StateMark>
      </p>
      {unpermittedEvents.length > 0 && (
        <p className={row.trouble}>
          {message('web.admin.webhooks.unpermitted', {
            events: unpermittedEvents.map((event) => message(`web.admin.webhooks.event.${event}`)).join(', '),
          })}
        </p>
      )}
    </>
  )
}

import { useInfiniteQuery } from '@tanstack/react-query'
import type { AdminWebhook, AdminWebhookDelivery } from '../../../lib/api/admin-entities.ts'
import { formatFullTime } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { TimeAgo } from '../../../ui/time-ago.tsx'
import { ActionButton } from '../shared/decisions/action-button.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { StateMark } from '../shared/list/state-mark.tsx'
import { deliveriesQuery, redeliver } from './webhook-queries.ts'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'
import styles from './webhook-deliveries.module.css'

const TONES = { pending: 'plain', delivered: 'good', rejected: 'alert', abandoned: 'alert' } as const

/** The latest deliveries of a webhook, each with a button that sends it again. */
export function WebhookDeliveries({ webhook }: { webhook: AdminWebhook }) {
  const query = useInfiniteQuery(deliveriesQuery(webhook.id))
  return (
    <section aria-labelledby="webhook-deliveries">
      <h2 id="webhook-deliveries" className={`${admin.heading} ${styles.heading}`}>
        {message('web.admin.webhooks.deliveries')}
      </h2>
      <AdminList query={query} empty={message('web.admin.webhooks.no-deliveries')}>
        {(delivery) => <Delivery webhook={webhook} delivery={delivery} />}
      </AdminList>
    </section>
  )
}

function Delivery({ webhook, delivery }: { webhook: AdminWebhook; delivery: AdminWebhookDelivery }) {
  const { id, event, state, attempts, lastStatus, lastError, createdAt, nextAttemptAt } = delivery
  const name = `${nameOf(event)} ${id}`
  return (
    <article className={row.row} tabIndex={0} aria-label={name}>
      <div className={row.body}>
        <p className={admin.actions}>
          <strong>{nameOf(event)}</strong>
          <StateMark tone={TONES[state]}>{message(`web.admin.webhooks.state.${state}`)}</StateMark>
        </p>
        <p className={admin.soft}>
          {[
            message('web.admin.attempts', { count: attempts }),
            ...(lastStatus === null ? [] : [`HTTP ${String(lastStatus)}`]),
          ].join(' · ')}
          {' · '}
          <TimeAgo time={createdAt} />
        </p>
        {lastError !== null && (
          <p className={row.trouble} dir="auto">
            {lastError}
          </p>
        )}
        {state === 'pending' && nextAttemptAt !== null && attempts > 0 && (
          <p className={admin.soft}>
            {message('web.admin.next-attempt', { time: formatFullTime(new Date(nextAttemptAt)) })}
          </p>
        )}
      </div>
      {webhook.enabled && state !== 'pending' && (
        <ActionButton
          label={message('web.admin.webhooks.redeliver')}
          name={name}
          action={{
            run: () => redeliver(webhook.id, id),
            done: message('web.admin.webhooks.redelivered', { name }),
          }}
        />
      )}
    </article>
  )
}

/** The event in words; an unknown one as it is. */
function nameOf(event: string): string {
  switch (event) {
    case 'test':
    case 'account.approved':
    case 'account.created':
    case 'account.updated':
    case 'report.created':
    case 'report.updated':
    case 'status.created':
    case 'status.updated':
      return message(`web.admin.webhooks.event.${event}`)
    default:
      return event
  }
}

import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdminWebhook } from '../../../lib/api/admin-entities.ts'
import { formatFullTime } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { ActionButton } from '../shared/decisions/action-button.tsx'
import { ConfirmedButton } from '../shared/decisions/confirmed-button.tsx'
import { QueryResult } from '../shared/list/query-result.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookDeliveries } from './webhook-deliveries.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { deleteWebhook, rotateSecret, setWebhookEnabled, testWebhook, webhookQuery } from './webhook-queries.ts'
import { WebhookState } from './webhook-state.tsx'
import admin from '../shared/admin.module.css'

/** A webhook with its deliveries. */
export function WebhookView({ id }: { id: string }) {
  const query = useQuery(webhookQuery(id))
  return (
    <QueryResult query={query}>
      {(webhook) => (
        <>
          <WebhookFacts webhook={webhook} />
          <WebhookDeliveries webhook={webhook} />
        </>
      )}
    </QueryResult>
  )
}

function WebhookFacts({ webhook }: { webhook: AdminWebhook }) {
  const [isEditing, setIsEditing] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  const navigate = useNavigate()
  const { id, url, events, enabled, updatedAt } = webhook
  const name = new URL(url).host
  return (
    <section className={admin.part} aria-label={name}>
      <WebhookState webhook={webhook} />
      <dl className={admin.facts}>
        <dt>{message('web.admin.webhooks.url')}</dt>
        <dd dir="ltr">{url}</dd>
        <dt>{message('web.admin.webhooks.events')}</dt>
        <dd>
          <ul>
            {events.map((event) => (
              <li key={event}>{message(`web.admin.webhooks.event.${event}`)}</li>
            ))}
          </ul>
        </dd>
        <dt>{message('web.admin.webhooks.changed')}</dt>
        <dd>{formatFullTime(new Date(updatedAt))}</dd>
      </dl>
      <div className={admin.actions}>
        <button type="button" className="button button-line button-small" onClick={() => setIsEditing(true)}>
          {message('web.admin.edit')}
        </button>
        <ActionButton
          label={message(enabled ? 'web.admin.disable' : 'web.admin.enable')}
          name={name}
          action={{
            run: () => setWebhookEnabled(id, !enabled),
            done: message(enabled ? 'web.admin.disabled-name' : 'web.admin.enabled-name', { name }),
            undo: () => setWebhookEnabled(id, enabled),
          }}
        />
        {enabled && (
          <ActionButton
            label={message('web.admin.webhooks.test')}
            name={name}
            action={{ run: () => testWebhook(id), done: message('web.admin.webhooks.tested', { name }) }}
          />
        )}
        <ConfirmedButton
          label={message('web.admin.webhooks.rotate')}
          name={name}
          title={message('web.admin.webhooks.rotate-title')}
          text={message('web.admin.webhooks.rotate-text')}
          action={{
            run: async () => setSecret(await rotateSecret(id)),
            done: message('web.admin.webhooks.rotated', { name }),
          }}
        />
        <ConfirmedButton
          label={message('web.admin.delete')}
          name={name}
          title={message('web.admin.delete-question', { name })}
          text={message('web.admin.webhooks.delete-text')}
          action={{
            run: () => deleteWebhook(id),
            done: message('web.admin.deleted', { name }),
            after: () => void navigate({ to: '/admin/webhooks' }),
          }}
        />
      </div>
      {isEditing && <WebhookDialog webhook={webhook} onClose={() => setIsEditing(false)} />}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </section>
  )
}

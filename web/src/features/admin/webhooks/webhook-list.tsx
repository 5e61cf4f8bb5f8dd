import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { AdminWebhook } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminList } from '../shared/list/admin-list.tsx'
import { SecretDialog } from './secret-dialog.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { webhooksQuery } from './webhook-queries.ts'
import { WebhookState } from './webhook-state.tsx'
import admin from '../shared/admin.module.css'
import row from '../shared/list/row.module.css'
import styles from './webhook-list.module.css'

/** The webhooks, the newest first. */
export function WebhookList() {
  const query = useInfiniteQuery(webhooksQuery)
  return (
    <AdminList query={query} empty={message('web.admin.webhooks.empty')}>
      {(webhook) => <WebhookRow webhook={webhook} />}
    </AdminList>
  )
}

/** The button that opens the form of a new webhook, after which its secret is shown once. */
export function NewWebhook() {
  const [isOpen, setIsOpen] = useState(false)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <>
      <button type="button" className="button button-small" onClick={() => setIsOpen(true)}>
        {message('web.admin.webhooks.new')}
      </button>
      {isOpen && <WebhookDialog webhook={null} onClose={() => setIsOpen(false)} onSecret={setSecret} />}
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </>
  )
}

function WebhookRow({ webhook }: { webhook: AdminWebhook }) {
  const { id, url, events } = webhook
  return (
    <article className={`${row.row} ${styles.row}`} tabIndex={0} aria-label={url}>
      <div className={row.body}>
        <Link to="/admin/webhooks/$id" params={{ id }} className={styles.link} data-key="o">
          <strong dir="ltr">{url}</strong>
        </Link>
        <p className={admin.soft}>{events.map((event) => message(`web.admin.webhooks.event.${event}`)).join(' · ')}</p>
        <WebhookState webhook={webhook} />
      </div>
    </article>
  )
}

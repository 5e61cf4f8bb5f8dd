import { useState } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import admin from '../shared/admin.module.css'
import styles from './secret-dialog.module.css'

/** The secret of a webhook, which the server shows only once. */
export function SecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const [state, setState] = useState<'copied' | 'copy-failed' | null>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(secret)
      setState('copied')
    } catch {
      setState('copy-failed')
    }
  }
  return (
    <Dialog title={message('web.admin.webhooks.secret')} onClose={onClose}>
      <div className={styles.content}>
        <p>{message('web.admin.webhooks.secret-text')}</p>
        <code className={styles.secret} dir="ltr" tabIndex={0}>
          {secret}
        </code>
        <p className={admin.actions}>
          <button type="button" className="button" onClick={() => void copy()}>
            <Icon name={state === 'copied' ? 'check' : 'copy'} />
            {message('web.admin.webhooks.copy')}
          </button>
          <span role="status" className={styles.status}>
            {state && message(`web.admin.webhooks.${state}`)}
          </span>
        </p>
      </div>
    </Dialog>
  )
}

import { message } from '../../../lib/i18n/messages.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import type { ConfirmedAction } from './open-status-dialog.ts'
import { runConfirmed } from './run-confirmed.ts'
import { domainOf } from './status-commands.ts'
import type { StoredStatus } from '../status-store.ts'
import styles from './confirmation.module.css'

const CONFIRMED = 'confirmed'

/** Asks before an action that cannot be undone, or that changes what the user sees of others. */
export function Confirmation({
  action,
  status,
  onClose,
}: {
  action: ConfirmedAction
  status: StoredStatus
  onClose: () => void
}) {
  const { title, text } = describe(action, status)
  return (
    <Dialog
      title={title}
      onClose={(returnValue) => {
        onClose()
        if (returnValue === CONFIRMED) void runConfirmed(action, status)
      }}
    >
      <form method="dialog" className={styles.form}>
        <p>{text}</p>
        <p className={styles.actions}>
          <button type="submit" className="button button-line" value="">
            {message('web.cancel')}
          </button>
          <button type="submit" className="button" value={CONFIRMED}>
            {message(`web.confirm.${action}.submit`)}
          </button>
        </p>
      </form>
    </Dialog>
  )
}

function describe(action: ConfirmedAction, { account }: StoredStatus): { title: string; text: string } {
  const [name, domain] = [`@${account.acct}`, domainOf(account) ?? '']
  switch (action) {
    case 'delete':
    case 'redraft':
      return { title: message(`web.confirm.${action}.title`), text: message(`web.confirm.${action}.text`) }
    case 'revoke-quote':
    case 'mute':
    case 'block':
      return { title: message(`web.confirm.${action}.title`, { name }), text: message(`web.confirm.${action}.text`) }
    case 'block-domain':
      return {
        title: message('web.confirm.block-domain.title', { domain }),
        text: message('web.confirm.block-domain.text', { domain }),
      }
  }
}

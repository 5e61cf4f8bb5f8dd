import { useQueryClient } from '@tanstack/react-query'
import type { Account } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { announce } from '../../../ui/notices/announcer.ts'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { sendRelationship } from '../../relationships/change-relationship.ts'
import type { LoadedGroup } from '../notification-groups.ts'
import { removeGroup } from '../removed-groups.ts'
import styles from '../list/notification-details.module.css'

/** The buttons that accept or reject a follow request. */
export function FollowRequestActions({ account, group }: { account: Account; group: LoadedGroup }) {
  const client = useQueryClient()
  const decide = async (decision: 'accept' | 'reject') => {
    const removal = removeGroup(client, group, () => sendRelationship(account.id, { type: decision }))
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    try {
      await removal
      announce(message(`web.notifications.request-${decision}ed`, { name: `@${account.acct}` }))
    } catch {
      showToast({
        kind: 'alert',
        text: message('web.notifications.decision-failed'),
        action: { label: message('web.retry'), run: () => void decide(decision) },
      })
    }
  }
  return (
    <p className={styles.actions}>
      <button type="button" className="button button-small" onClick={() => void decide('accept')}>
        {message('web.notifications.accept')}
      </button>
      <button type="button" className="button button-line button-small" onClick={() => void decide('reject')}>
        {message('web.notifications.reject')}
      </button>
    </p>
  )
}

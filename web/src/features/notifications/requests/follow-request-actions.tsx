import { useQueryClient } from '@tanstack/react-query'
import type { Account } from '../../../lib/api/entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { api } from '../../../lib/session.ts'
import { announce } from '../../../ui/notices/announcer.ts'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { removeGroup } from '../notification-queries.ts'
import styles from '../list/notification-details.module.css'

/** The buttons that accept or reject a follow request. */
export function FollowRequestActions({ account, groupKey }: { account: Account; groupKey: string }) {
  const client = useQueryClient()
  const decide = async (decision: 'accept' | 'reject') => {
    const undo = removeGroup(client, groupKey)
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
    try {
      const request = api().v1.followRequests.$select(account.id)
      await (decision === 'accept' ? request.authorize() : request.reject())
      announce(message(`web.notifications.request-${decision}ed`, { name: `@${account.acct}` }))
    } catch {
      undo()
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

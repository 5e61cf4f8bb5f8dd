import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, useState } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { api } from '../../../lib/session.ts'
import { Confirmation } from '../../../ui/dialogs/confirmation.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import { LazyPart } from '../../../ui/lazy-part.tsx'
import { MenuButton } from '../../../ui/menus/menu.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { unreadCountQuery } from '../unread-count.ts'
import styles from './notification-menu.module.css'

const PolicyDialog = lazy(async () => ({ default: (await import('../requests/policy-dialog.tsx')).PolicyDialog }))

/** The menu of the notifications page: the policy, the requests, and clearing all. */
export function NotificationMenu() {
  const [dialog, setDialog] = useState<'policy' | 'clear' | null>(null)
  const navigate = useNavigate()
  const close = () => setDialog(null)
  return (
    <>
      <MenuButton
        label={message('web.notifications.menu')}
        className={styles.button ?? ''}
        items={[
          { label: message('web.notifications.policy'), icon: 'settings', run: () => setDialog('policy') },
          {
            label: message('web.notifications.requests'),
            icon: 'people',
            run: () => void navigate({ to: '/notifications/requests' }),
          },
          {
            label: message('web.nav.conversations'),
            icon: 'mail',
            run: () => void navigate({ to: '/conversations' }),
          },
          {
            label: message('web.notifications.clear'),
            icon: 'trash',
            run: () => setDialog('clear'),
            dangerous: true,
          },
        ]}
      >
        <Icon name="more" />
      </MenuButton>
      {dialog === 'policy' && (
        <LazyPart onFailure={close}>
          <PolicyDialog onClose={close} />
        </LazyPart>
      )}
      {dialog === 'clear' && <ClearDialog onClose={close} />}
    </>
  )
}

function ClearDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const clear = async () => {
    try {
      await api().v1.notifications.clear()
      await client.resetQueries({ queryKey: ['notifications'] })
      await client.invalidateQueries({ queryKey: unreadCountQuery.queryKey })
    } catch {
      showToast({
        kind: 'alert',
        text: message('web.notifications.clear-failed'),
        action: { label: message('web.retry'), run: () => void clear() },
      })
    }
  }
  return (
    <Confirmation
      title={message('web.notifications.clear-title')}
      text={message('web.notifications.clear-text')}
      confirm={message('web.notifications.clear')}
      onConfirm={() => void clear()}
      onClose={onClose}
    />
  )
}

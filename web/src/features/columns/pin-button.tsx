import { useRouterState } from '@tanstack/react-router'
import { message } from '../../lib/i18n/messages.ts'
import { useClientSettings } from '../../lib/settings.ts'
import { useMediaQuery } from '../../lib/use-media-query.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { toggleColumn, WIDE_ENOUGH } from './pinned-columns.ts'
import styles from './pin-button.module.css'

/** Pins the current page as a column. Only very wide windows have room for columns, so only they show the button. */
export function PinButton() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isPinned = useClientSettings().pinnedColumns.includes(path)
  // A hidden button would make the head of the page leave room for it.
  if (!useMediaQuery(WIDE_ENOUGH)) return null
  return (
    <button
      type="button"
      className={`icon-button ${styles.pin}`}
      aria-pressed={isPinned}
      aria-label={message('web.columns.pin')}
      title={message('web.columns.pin')}
      onClick={() => toggleColumn(path)}
    >
      <Icon name="pin" filled={isPinned} />
    </button>
  )
}

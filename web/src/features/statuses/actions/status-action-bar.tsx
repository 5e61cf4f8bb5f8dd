import { lazy, useState } from 'react'
import { currentAccountId } from '../../../lib/session.ts'
import { clientSettings } from '../../../lib/settings.ts'
import { formatCount, formatNumber } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Icon } from '../../../ui/icons/icon.tsx'
import type { IconName } from '../../../ui/icons/icon.tsx'
import { LazyPart } from '../../../ui/lazy-part.tsx'
import { announce } from '../../../ui/notices/announcer.ts'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { openComposer } from '../../composer/open-composer.ts'
import { toggle, useToggled } from './status-actions.ts'
import type { ToggledAction } from './status-actions.ts'
import { canQuote, mentionAuthor, StatusMenu } from './status-menu.tsx'
import type { StoredStatus } from '../status-store.ts'
import styles from './status-action-bar.module.css'

const Confirmation = lazy(async () => ({
  default: (await import('../../../ui/dialogs/confirmation.tsx')).Confirmation,
}))

/** The buttons below a status. */
export function StatusActions({ status }: { status: StoredStatus }) {
  const { visibility, account } = status
  const canBoost =
    visibility === 'public' ||
    visibility === 'unlisted' ||
    // Authors may boost their own posts for followers, for the same followers.
    (visibility === 'private' && account.id === currentAccountId())
  return (
    <div className={styles.bar} role="group" aria-label={message('web.status.actions')}>
      <button
        type="button"
        className={styles.button}
        data-key="r"
        title={message('web.status.reply')}
        onClick={() => openComposer({ type: 'reply', status })}
      >
        <Icon name="reply" />
        <span className="unseen">{message('web.status.reply')}</span>
        <Count value={status.repliesCount} />
      </button>
      <Toggle
        action="reblog"
        icon="boost"
        shortcut="b"
        status={status}
        countOf={({ reblogsCount }) => reblogsCount}
        disabled={!canBoost}
      />
      <Toggle
        action="favourite"
        icon="favourite"
        shortcut="f"
        status={status}
        countOf={({ favouritesCount }) => favouritesCount}
      />
      <Toggle action="bookmark" icon="bookmark" shortcut="d" status={status} />
      <StatusMenu status={status} className={styles.button} />
      <HiddenActions status={status} />
    </div>
  )
}

/** Actions that have a key of Mastodon, but no button that is always in the document. */
function HiddenActions({ status }: { status: StoredStatus }) {
  return (
    <>
      <button type="button" hidden data-key="m" onClick={() => mentionAuthor(status)} />
      {canQuote(status) && (
        <button type="button" hidden data-key="q" onClick={() => openComposer({ type: 'quote', status })} />
      )}
    </>
  )
}

function Toggle({
  action,
  icon,
  shortcut,
  status,
  countOf,
  disabled = false,
}: {
  action: ToggledAction
  icon: IconName
  shortcut: string
  status: StoredStatus
  countOf?: (status: StoredStatus) => number
  disabled?: boolean
}) {
  const { shown, on, isQueued } = useToggled(action, status)
  const [isAsking, setIsAsking] = useState(false)
  const run = () => void toggleOrReport({ action, id: status.id, on: !on })
  // Screen readers speak the state of the button that has the focus. A key presses it from elsewhere in the post.
  const press = (button: Element) => {
    if (document.activeElement !== button) announce(message(`web.status.${action}-${on ? 'off' : 'on'}`))
    run()
  }
  const asks = action === 'reblog' && !on
  const label = message(`web.status.${action}`)
  return (
    <>
      <button
        type="button"
        className={`${styles.button} ${styles[action]}`}
        aria-pressed={on}
        title={isQueued ? message('web.queue.waiting') : label}
        data-key={shortcut}
        disabled={disabled}
        onClick={({ currentTarget }) =>
          asks && clientSettings.get().confirmBoost ? setIsAsking(true) : press(currentTarget)
        }
      >
        <Icon name={icon} filled={on} />
        <span className="unseen">{label}</span>
        {countOf && <Count value={countOf(shown)} />}
        {isQueued && <Icon name="clock" />}
      </button>
      {isAsking && (
        <LazyPart onFailure={() => setIsAsking(false)}>
          <Confirmation
            title={message('web.settings.confirmBoost.title')}
            text={message('web.settings.confirmBoost.text')}
            confirm={label}
            onConfirm={run}
            onClose={() => setIsAsking(false)}
          />
        </LazyPart>
      )}
    </>
  )
}

function Count({ value }: { value: number }) {
  return (
    <span className={styles.count} title={formatNumber(value)}>
      {value > 0 ? ` ${formatCount(value)}` : ''}
    </span>
  )
}

/** After a failure, the message has a button that tries again. */
async function toggleOrReport({ action, id, on }: { action: ToggledAction; id: string; on: boolean }): Promise<void> {
  try {
    await toggle(action, { id, on })
  } catch {
    showToast({
      text: message(`web.status.${action}-failed`),
      kind: 'alert',
      action: { label: message('web.retry'), run: () => void toggleOrReport({ action, id, on }) },
    })
  }
}

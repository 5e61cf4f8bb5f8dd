import { Link, useRouter, useRouterState } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import type { SideThread } from '../../features/columns/side-thread.ts'
import { LoadedThread } from '../../features/statuses/thread/loaded-thread.tsx'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { useReturnOfFocus } from '../../ui/dialogs/use-return-of-focus.ts'
import { Column } from './column.tsx'
import styles from './thread-column.module.css'

/** A thread beside a page. Escape closes it; back leads to the thread before, or to the page alone. */
export function ThreadColumn({ thread: { acct, id, depth } }: { thread: SideThread }) {
  const { history } = useRouter()
  const historyKey = useRouterState({ select: ({ location }) => location.state.__TSR_key ?? '' })
  useReturnOfFocus()
  const close = () => history.go(-depth)
  const onKeyDown = (event: KeyboardEvent) => {
    const isInside = event.target instanceof Element && event.target.closest('dialog, [popover]') === null
    if (event.key !== 'Escape' || event.defaultPrevented || !isInside) return
    event.preventDefault()
    close()
  }
  return (
    <Column
      onKeyDown={onKeyDown}
      title={
        <Link to="/@{$acct}/$id" params={{ acct, id }} title={message('web.side.open-page')} data-page>
          {message('web.thread.title')}
        </Link>
      }
      start={
        depth > 1 && (
          <button
            type="button"
            className={`icon-button ${styles.back}`}
            aria-label={message('web.back')}
            data-key="Backspace"
            onClick={() => history.back()}
          >
            <Icon name="back" />
          </button>
        )
      }
      end={
        <button
          type="button"
          className="icon-button"
          aria-label={message('web.close')}
          title={message('web.close')}
          data-key={depth === 1 ? 'Backspace' : undefined}
          onClick={close}
        >
          <Icon name="close" />
        </button>
      }
    >
      {(area) => <LoadedThread key={id} id={id} historyKey={historyKey} area={area} />}
    </Column>
  )
}

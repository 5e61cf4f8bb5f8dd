import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import type { MouseEvent } from 'react'
import type { Announcement } from '../../lib/api/entities.ts'
import { formatCount } from '../../lib/i18n/formats.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { placePopover } from '../../ui/menus/place-popover.ts'
import { showToast } from '../../ui/notices/toasts.tsx'
import { react } from './announcement-queries.ts'
import styles from './announcement-reactions.module.css'

/** Emojis that can be added by one press. */
const OFFERED = ['👍', '❤️', '🎉', '😂', '😮', '😢', '🙏', '👀']

/** The reactions to an announcement, and a button that adds one. */
export function AnnouncementReactions({ announcement: { id, reactions } }: { announcement: Announcement }) {
  const client = useQueryClient()
  const menuId = useId()
  const menu = useRef<HTMLDivElement>(null)
  const toggle = async (name: string, on: boolean) => {
    try {
      await react(client, { id, name, on })
    } catch {
      showToast({
        kind: 'alert',
        text: message('web.announcements.reaction-failed'),
        action: { label: message('web.retry'), run: () => void toggle(name, on) },
      })
    }
  }
  const open = (event: MouseEvent<HTMLElement>) => {
    const { currentTarget: source } = event
    // The browser closes an open menu.
    if (!menu.current || menu.current.matches(':popover-open')) return
    event.preventDefault()
    menu.current.showPopover({ source })
    placePopover(menu.current, source.getBoundingClientRect())
  }
  const used = new Set(reactions.filter(({ me }) => me).map(({ name }) => name))
  return (
    <div className={styles.reactions} role="group" aria-label={message('web.announcements.reactions')}>
      {reactions.map(({ name, count, me = false, staticUrl }) => (
        <button
          key={name}
          type="button"
          className={styles.reaction}
          aria-pressed={me}
          onClick={() => void toggle(name, !me)}
        >
          {staticUrl ? <img className="emoji" src={staticUrl} alt={`:${name}:`} /> : name}
          <span className={styles.count}>{formatCount(count)}</span>
        </button>
      ))}
      <button
        type="button"
        className={styles.add}
        aria-label={message('web.announcements.add-reaction')}
        title={message('web.announcements.add-reaction')}
        popoverTarget={menuId}
        onClick={open}
      >
        <Icon name="smile" />
      </button>
      <div
        ref={menu}
        id={menuId}
        className={styles.menu}
        role="group"
        aria-label={message('web.announcements.add-reaction')}
        popover="auto"
      >
        {OFFERED.filter((name) => !used.has(name)).map((name) => (
          <button
            key={name}
            type="button"
            className={styles.offer}
            onClick={() => {
              menu.current?.hidePopover()
              void toggle(name, true)
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}

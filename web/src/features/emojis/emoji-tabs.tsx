import type { KeyboardEvent } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import type { GROUPS } from './unicode-emojis.ts'
import styles from './emoji-tabs.module.css'

/** A part of the picker: the emojis used last, those of the server, or a group of Unicode. */
export type EmojiTab = 'recent' | 'custom' | (typeof GROUPS)[number]

const PICTURES: Record<EmojiTab, string | null> = {
  recent: null,
  custom: null,
  smileys: '😀',
  people: '👋',
  nature: '🐻',
  food: '🍎',
  travel: '🚗',
  activities: '⚽',
  objects: '💡',
  symbols: '💠',
  flags: '🚩',
}

/** The tabs of the picker (WAI-ARIA tabs): arrow keys move between them. `panelId`: the element with the emojis. */
export function EmojiTabs({
  tabs,
  selected,
  panelId,
  onSelect,
}: {
  tabs: readonly EmojiTab[]
  selected: EmojiTab
  panelId: string
  onSelect: (tab: EmojiTab) => void
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
    const index = tabs.indexOf(selected)
    const next = {
      [isRtl ? 'ArrowLeft' : 'ArrowRight']: tabs[(index + 1) % tabs.length],
      [isRtl ? 'ArrowRight' : 'ArrowLeft']: tabs.at(index - 1),
      Home: tabs[0],
      End: tabs.at(-1),
    }[event.key]
    if (!next) return
    event.preventDefault()
    onSelect(next)
    event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next}"]`)?.focus()
  }
  return (
    <div className={styles.tabs} role="tablist" aria-label={message('web.emojis.groups')} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          className={styles.tab}
          aria-selected={tab === selected}
          aria-controls={panelId}
          aria-label={message(`web.emojis.${tab}`)}
          title={message(`web.emojis.${tab}`)}
          tabIndex={tab === selected ? 0 : -1}
          data-tab={tab}
          onClick={() => onSelect(tab)}
        >
          {PICTURES[tab] ?? <Icon name={tab === 'recent' ? 'clock' : 'favourite'} />}
        </button>
      ))}
    </div>
  )
}

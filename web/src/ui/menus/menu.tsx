import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import type { KeyboardEvent, ReactNode } from 'react'
import { Icon } from '../icons/icon.tsx'
import type { IconName } from '../icons/icon.tsx'
import { placePopover } from './place-popover.ts'
import styles from './menu.module.css'

/** An entry of a menu. `dangerous`: in the colour of warnings. `isChecked`: an option that is on or off. */
export interface MenuItem {
  label: string
  icon: IconName
  run: () => void
  dangerous?: boolean
  isChecked?: boolean
}

const ITEMS = '[role^=menuitem]'

/**
 * A button that opens a menu (WAI-ARIA menu button): arrow keys and first letters move, Escape closes and returns the
 * focus.
 */
export function MenuButton({
  label,
  items,
  className,
  shortcut,
  children,
}: {
  label: string
  items: readonly MenuItem[]
  className?: string
  shortcut?: string
  children: ReactNode
}) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  // Lists have many menus, so their entries are in the document only while they are open.
  const [isOpen, setIsOpen] = useState(false)
  const open = () => {
    if (!button.current || !menu.current) return
    flushSync(() => setIsOpen(true))
    menu.current.showPopover()
    placePopover(menu.current, button.current.getBoundingClientRect())
    menu.current.querySelector<HTMLElement>(ITEMS)?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        title={label}
        aria-haspopup="menu"
        aria-controls={id}
        data-key={shortcut}
        onClick={open}
      >
        <span className="unseen">{label}</span>
        {children}
      </button>
      <div
        ref={menu}
        id={id}
        className={styles.menu}
        role="menu"
        aria-label={label}
        popover="auto"
        tabIndex={-1}
        onKeyDown={moveFocus}
        onToggle={({ newState }) => {
          if (newState === 'closed') setIsOpen(false)
        }}
      >
        {(isOpen ? items : []).map((item) => (
          <button
            key={item.label}
            type="button"
            role={item.isChecked === undefined ? 'menuitem' : 'menuitemcheckbox'}
            aria-checked={item.isChecked}
            tabIndex={-1}
            className={item.dangerous ? `${styles.item} ${styles.dangerous}` : styles.item}
            onClick={() => {
              menu.current?.hidePopover()
              item.run()
            }}
          >
            <Icon name={item.icon} />
            {item.label}
            {item.isChecked && <Icon name="check" />}
          </button>
        ))}
      </div>
    </>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  // The keys of the client do not apply to an open menu.
  event.stopPropagation()
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEMS)]
  const index = items.indexOf(document.activeElement as HTMLElement)
  const next =
    {
      ArrowDown: items[(index + 1) % items.length],
      ArrowUp: items[(index - 1 + items.length) % items.length],
      Home: items[0],
      End: items.at(-1),
    }[event.key] ?? findByLetter([...items.slice(index + 1), ...items.slice(0, index + 1)], event)
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** Returns the first of the entries that begins with the pressed letter. */
function findByLetter(
  items: readonly HTMLElement[],
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
): HTMLElement | undefined {
  if (key.length > 1 || key === ' ' || ctrlKey || metaKey || altKey) return undefined
  const letter = key.toLocaleLowerCase()
  return items.find(({ textContent }) => textContent.trim().toLocaleLowerCase().startsWith(letter))
}

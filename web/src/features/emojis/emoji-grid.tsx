import { useState } from 'react'
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react'
import styles from './emoji-grid.module.css'

/** An emoji that can be inserted. `text`: what is inserted. `url`: the picture of a custom emoji. */
export interface EmojiChoice {
  text: string
  name: string
  url?: string
}

/**
 * Emojis in rows, one stop of the Tab key: arrow keys move in both directions, Home and End to the first and the last.
 * `sections` may have titles.
 */
export function EmojiGrid({
  sections,
  onPick,
}: {
  sections: readonly { title: string | null; label: string; choices: readonly EmojiChoice[] }[]
  onPick: (choice: EmojiChoice) => void
}) {
  const [focused, setFocused] = useState<string | null>(null)
  const all = sections.flatMap(({ choices }) => choices)
  const stop = all.some(({ text }) => text === focused) ? focused : all[0]?.text
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => setFocused(target.dataset['emoji'] ?? null)
  return (
    <div onFocus={onFocus} onKeyDown={moveFocus}>
      {sections.map(({ title, label, choices }) => (
        <section key={label} aria-label={label}>
          {title !== null && <h3 className={styles.category}>{title}</h3>}
          <div className={styles.grid}>
            {choices.map((choice) => (
              <button
                key={choice.text}
                type="button"
                className={styles.emoji}
                aria-label={choice.name}
                title={choice.name}
                tabIndex={choice.text === stop ? 0 : -1}
                data-emoji={choice.text}
                onClick={() => onPick(choice)}
              >
                {pictureOf(choice)}
              </button>
            ))}
          </div>
        </section>
      ))}
    </div>
  )
}

const pictureOf = ({ text, url }: EmojiChoice): ReactNode =>
  url === undefined ? text : <img src={url} alt="" loading="lazy" decoding="async" />

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const index = buttons.indexOf(document.activeElement as HTMLButtonElement)
  if (index === -1 || event.ctrlKey || event.metaKey || event.altKey) return
  const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
  const next = {
    [isRtl ? 'ArrowLeft' : 'ArrowRight']: buttons[index + 1],
    [isRtl ? 'ArrowRight' : 'ArrowLeft']: buttons[index - 1],
    ArrowDown: findNeighbour(buttons, { index, step: 1 }),
    ArrowUp: findNeighbour(buttons, { index, step: -1 }),
    Home: buttons[0],
    End: buttons.at(-1),
  }[event.key]
  if (!next) return
  event.preventDefault()
  next.focus()
}

/** Returns the nearest button in the row below (`step` 1) or above (−1). */
function findNeighbour(
  buttons: readonly HTMLButtonElement[],
  { index, step }: { index: number; step: 1 | -1 },
): HTMLButtonElement | undefined {
  const here = buttons[index]!.getBoundingClientRect()
  const others = (step === 1 ? buttons.slice(index) : buttons.slice(0, index).toReversed()).map((button) => ({
    button,
    place: button.getBoundingClientRect(),
  }))
  const row = others.find(({ place }) => place.top !== here.top)?.place.top
  return others
    .filter(({ place }) => place.top === row)
    .toSorted((a, b) => Math.abs(a.place.left - here.left) - Math.abs(b.place.left - here.left))[0]?.button
}

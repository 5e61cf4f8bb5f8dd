import { useId, useState } from 'react'
import type { KeyboardEvent, ReactNode } from 'react'
import styles from './column.module.css'

/** A part of a wide window that scrolls on its own. `children` renders its content into the element that scrolls. */
export function Column({
  title,
  start,
  end,
  onKeyDown,
  children,
}: {
  title: ReactNode
  /** Buttons before the title. */
  start?: ReactNode
  /** Buttons after the title. */
  end: ReactNode
  onKeyDown?: (event: KeyboardEvent) => void
  children: (area: HTMLElement) => ReactNode
}) {
  // The rows need the element when they are rendered first.
  const [area, setArea] = useState<HTMLDivElement | null>(null)
  const titleId = useId()
  return (
    <section className={styles.column} aria-labelledby={titleId} data-posts onKeyDown={onKeyDown}>
      <header className={styles.head}>
        {start}
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        {end}
      </header>
      <div ref={setArea} className={styles.content}>
        {area && children(area)}
      </div>
    </section>
  )
}

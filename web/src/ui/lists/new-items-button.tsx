import { Icon } from '../icons/icon.tsx'
import { focusOnRemoval } from '../page/focus-on-removal.ts'
import styles from './new-items-button.module.css'

/** The button above a list that shows what has arrived since. It takes no room, so that it moves nothing. */
export function NewItemsButton({ label, onShow }: { label: string; onShow: () => void }) {
  return (
    <div ref={focusColumnOnRemoval} className={styles.place}>
      <button type="button" className="button" data-key="." onClick={onShow}>
        <Icon name="refresh" />
        {label}
      </button>
    </div>
  )
}

/** The heading of the column, or of the page, stays in sight, wherever the user reads. */
const focusColumnOnRemoval = focusOnRemoval(
  (place) =>
    place.closest('[data-posts]')?.querySelector<HTMLElement>('h2 a') ?? document.querySelector<HTMLElement>('main h1'),
)

import { Icon } from '../icons/icon.tsx'
import styles from './new-items-button.module.css'

/** The button above a list that shows what has arrived since. It takes no room, so that it moves nothing. */
export function NewItemsButton({ label, onShow }: { label: string; onShow: () => void }) {
  return (
    <div className={styles.place}>
      <button type="button" className="button" data-key="." onClick={onShow}>
        <Icon name="refresh" />
        {label}
      </button>
    </div>
  )
}

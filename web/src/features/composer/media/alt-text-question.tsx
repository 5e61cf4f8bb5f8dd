import { message } from '../../../lib/i18n/messages.ts'
import { closeDialog } from '../../../ui/dialogs/confirmation.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import type { Draft, DraftMedia } from '../../drafts/draft.ts'
import styles from './alt-text-question.module.css'

/** Returns the files of a draft that have no alt text. */
export function findUndescribed({ posts }: Draft): DraftMedia[] {
  return posts.flatMap(({ media }) => media).filter(({ description }) => description.trim() === '')
}

/** Asks before files are sent that have no alt text. `files` has at least one. */
export function AltTextQuestion({
  files,
  onSend,
  onClose,
}: {
  files: readonly DraftMedia[]
  onSend: () => void
  onClose: () => void
}) {
  return (
    <Dialog title={message('web.composer.alt-ask-title')} onClose={onClose}>
      <p>{message('web.composer.alt-ask-text', { count: files.length })}</p>
      <p className={styles.actions}>
        <button
          type="button"
          className="button button-line"
          onClick={(event) => {
            closeDialog(event)
            onSend()
          }}
        >
          {message('web.composer.alt-ask-send')}
        </button>
        <button
          type="button"
          className="button"
          onClick={(event) => {
            closeDialog(event)
            document.querySelector<HTMLElement>(`[data-media="${files[0]!.key}"] [data-missing]`)?.click()
          }}
        >
          {message('web.composer.add-alt')}
        </button>
      </p>
    </Dialog>
  )
}

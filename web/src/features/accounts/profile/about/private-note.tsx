import { useEffect, useEffectEvent, useId, useRef } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import { useDraft } from '../../../../lib/store/use-draft.ts'
import { showToast } from '../../../../ui/notices/toasts.tsx'
import { changeRelationship } from '../../../relationships/change-relationship.ts'
import { useRelationship } from '../../../relationships/relationships.ts'
import styles from './private-note.module.css'

const MAX_CHARACTERS = 2000

/**
 * What the user has noted about an account, which only the user sees. It is saved when the field loses the focus, or leaves
 * the page.
 */
export function PrivateNote({ accountId }: { accountId: string }) {
  const relationship = useRelationship(accountId)
  const { value: draft, change, reset } = useDraft<string | null>(`note-${accountId}`, null)
  /** The last draft, and the one that is being saved. */
  const latest = useRef(draft)
  const saving = useRef<string | null>(null)
  const id = useId()
  const note = relationship?.note ?? ''
  const text = draft ?? note

  const save = async () => {
    if (draft === null || draft === saving.current) return
    if (draft.trim() === note) return reset()
    saving.current = draft
    // The draft stays in the field if the server refuses it, so that nothing is lost.
    const isSaved = await changeRelationship(accountId, { type: 'note', comment: draft.trim() })
    saving.current = null
    if (!isSaved) return
    // What the user has written meanwhile stays.
    if (latest.current === draft) reset()
    showToast({ kind: 'good', text: message('web.note.saved') })
  }
  // A field that leaves the page does not lose the focus first.
  const saveAtEnd = useEffectEvent(() => void save())
  useEffect(() => () => saveAtEnd(), [])

  return (
    <div className={styles.note}>
      <label htmlFor={id}>{message('web.note.label')}</label>
      <textarea
        id={id}
        className={styles.text}
        dir="auto"
        rows={Math.min(8, Math.max(1, text.split('\n').length))}
        value={text}
        // It has its place before the note is loaded, so that nothing moves then.
        readOnly={!relationship}
        maxLength={MAX_CHARACTERS}
        placeholder={message('web.note.placeholder')}
        onChange={({ target }) => {
          latest.current = target.value
          change(target.value)
        }}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.blur()
        }}
      />
    </div>
  )
}

import { useId, useState } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import { showToast } from '../../../../ui/notices/toasts.tsx'
import { changeRelationship } from '../../../relationships/change-relationship.ts'
import { useRelationship } from '../../../relationships/relationships.ts'
import styles from './private-note.module.css'

const MAX_CHARACTERS = 2000

/** What the user has noted about an account, which only the user sees. It is saved when the field loses the focus. */
export function PrivateNote({ accountId }: { accountId: string }) {
  const relationship = useRelationship(accountId)
  const [draft, setDraft] = useState<string | null>(null)
  const id = useId()
  const note = relationship?.note ?? ''
  const text = draft ?? note

  const save = async () => {
    if (draft === null || draft.trim() === note) return setDraft(null)
    // The draft stays in the field if the server refuses it, so that nothing is lost.
    if (!(await changeRelationship(accountId, { type: 'note', comment: draft.trim() }))) return
    // What the user has written meanwhile stays.
    setDraft((current) => (current === draft ? null : current))
    showToast({ kind: 'good', text: message('web.note.saved') })
  }

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
        onChange={({ target }) => setDraft(target.value)}
        onBlur={() => void save()}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.blur()
        }}
      />
    </div>
  )
}

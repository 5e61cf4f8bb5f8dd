import { useEffect, useId, useMemo, useRef } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import { TextField } from '../../../../ui/form-fields.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import styles from './picture-field.module.css'

/** What happens to a picture when the form is saved. */
export type PictureChange = { type: 'keep' } | { type: 'remove' } | { type: 'replace'; file: File }

const TYPES = 'image/jpeg,image/png,image/gif,image/webp,image/avif,image/heic'
const MAX_DESCRIPTION_CHARACTERS = 1500

/** A picture of the own profile: its preview, buttons to replace and remove it, and its description. */
export function PictureField({
  kind,
  current,
  change,
  onChange,
  description,
  onDescription,
}: {
  kind: 'avatar' | 'header'
  /** The URL of the stored picture; null if there is none. */
  current: string | null
  change: PictureChange
  onChange: (change: PictureChange) => void
  description: string
  onDescription: (description: string) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const titleId = useId()
  const file = change.type === 'replace' ? change.file : null
  const preview = useMemo(() => (file ? URL.createObjectURL(file) : null), [file])
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview])
  const shown = preview ?? (change.type === 'remove' ? null : current)
  return (
    <section className={styles.picture} aria-labelledby={titleId}>
      <h2 id={titleId}>{message(`web.edit-profile.${kind}`)}</h2>
      <div className={`${styles.preview} ${styles[kind]}`}>
        {shown ? <img src={shown} alt={description} /> : <Icon name="image" />}
      </div>
      <div className={styles.buttons}>
        <input
          ref={input}
          type="file"
          className="unseen"
          accept={TYPES}
          tabIndex={-1}
          aria-label={message(`web.edit-profile.${kind}-file`)}
          onChange={({ target }) => {
            const chosen = target.files?.[0]
            if (chosen) onChange({ type: 'replace', file: chosen })
            target.value = ''
          }}
        />
        <button type="button" className="button button-line button-small" onClick={() => input.current?.click()}>
          <Icon name="image" />
          {message(`web.edit-profile.${kind}-choose`)}
        </button>
        {shown && (
          <button
            type="button"
            className="button button-line button-small"
            onClick={() => onChange({ type: current ? 'remove' : 'keep' })}
          >
            <Icon name="trash" />
            {message(`web.edit-profile.${kind}-remove`)}
          </button>
        )}
      </div>
      {shown && (
        <TextField
          label={message(`web.edit-profile.${kind}-description`)}
          value={description}
          maxLength={MAX_DESCRIPTION_CHARACTERS}
          onChange={onDescription}
        />
      )}
    </section>
  )
}

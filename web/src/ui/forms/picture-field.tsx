import { useEffect, useId, useMemo, useRef } from 'react'
import { TextField } from './form-fields.tsx'
import { Icon } from '../icons/icon.tsx'
import styles from './picture-field.module.css'

/** What happens to a picture when the form is saved. */
export type PictureChange = { type: 'keep' } | { type: 'remove' } | { type: 'replace'; file: File }

const TYPES = 'image/jpeg,image/png,image/webp,image/avif'
const PROFILE_TYPES = `${TYPES},image/gif,image/heic`
const MAX_DESCRIPTION_CHARACTERS = 1500

/** A picture: its preview, buttons to replace and remove it, and its description. */
export function PictureField({
  shape,
  texts,
  current,
  change,
  onChange,
  description = '',
  onDescription,
  error,
}: {
  shape: 'avatar' | 'header' | 'thumbnail' | 'icon'
  /** `file`: the name of the file input; `description`: the label of the description, if the picture has one. */
  texts: { title: string; hint?: string; file: string; choose: string; remove: string; description?: string }
  /** The URL of the stored picture; null if there is none. */
  current: string | null
  change: PictureChange
  onChange: (change: PictureChange) => void
  description?: string
  onDescription?: (description: string) => void
  /** What is wrong with the picture; empty if nothing is. Then its button gets the focus. */
  error?: string
}) {
  const input = useRef<HTMLInputElement>(null)
  const choose = useRef<HTMLButtonElement>(null)
  const id = useId()
  const file = change.type === 'replace' ? change.file : null
  const preview = useMemo(() => (file ? URL.createObjectURL(file) : null), [file])
  useEffect(() => () => void (preview && URL.revokeObjectURL(preview)), [preview])
  useEffect(() => {
    if (error) choose.current?.focus()
  }, [error])
  const shown = preview ?? (change.type === 'remove' ? null : current)
  const described = [error && `${id}-error`, texts.hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <section className={styles.picture} aria-labelledby={id}>
      <h2 id={id}>{texts.title}</h2>
      <div className={`${styles.preview} ${styles[shape]}`}>
        {shown ? <img src={shown} alt={description} /> : <Icon name="image" />}
      </div>
      {texts.hint && (
        <p id={`${id}-hint`} className={styles.hint}>
          {texts.hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className={styles.error} role="alert">
          {error}
        </p>
      )}
      <div className={styles.buttons}>
        <input
          ref={input}
          type="file"
          className="unseen"
          accept={shape === 'thumbnail' || shape === 'icon' ? TYPES : PROFILE_TYPES}
          tabIndex={-1}
          aria-label={texts.file}
          onChange={({ target }) => {
            const chosen = target.files?.[0]
            if (chosen) onChange({ type: 'replace', file: chosen })
            target.value = ''
          }}
        />
        <button
          ref={choose}
          type="button"
          className="button button-line button-small"
          aria-describedby={described || undefined}
          onClick={() => input.current?.click()}
        >
          <Icon name="image" />
          {texts.choose}
        </button>
        {shown && (
          <button
            type="button"
            className="button button-line button-small"
            onClick={() => {
              choose.current?.focus()
              onChange({ type: current ? 'remove' : 'keep' })
            }}
          >
            <Icon name="trash" />
            {texts.remove}
          </button>
        )}
      </div>
      {shown && texts.description !== undefined && onDescription && (
        <TextField
          label={texts.description}
          value={description}
          maxLength={MAX_DESCRIPTION_CHARACTERS}
          onChange={onDescription}
        />
      )}
    </section>
  )
}

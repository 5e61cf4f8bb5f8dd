import { useId } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { withTone } from './unicode-emojis.ts'
import styles from './skin-tones.module.css'

const TONES = [0, 1, 2, 3, 4, 5] as const

/** The choice of the skin tone that all emojis of people get. */
export function SkinTones({ tone, onChange }: { tone: number; onChange: (tone: number) => void }) {
  const name = useId()
  return (
    <fieldset className={styles.tones}>
      <legend className="unseen">{message('web.emojis.tone')}</legend>
      {TONES.map((value) => (
        <label key={value} className={styles.tone} title={message(`web.emojis.tone-${value}`)}>
          <input
            type="radio"
            className="unseen"
            name={name}
            aria-label={message(`web.emojis.tone-${value}`)}
            checked={tone === value}
            onChange={() => onChange(value)}
          />
          <span aria-hidden="true">{withTone(['✋', '', '', '✋*'], value)}</span>
        </label>
      ))}
    </fieldset>
  )
}

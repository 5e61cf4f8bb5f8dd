import { message } from '../../lib/i18n/messages.ts'
import type { MessageId } from '../../lib/i18n/messages.ts'
import styles from './search-start.module.css'

/** The operators of `src/domain/search/parse-query.ts`. Those that end with a colon need a value. */
const OPERATORS: readonly { text: string; label: Extract<MessageId, `web.search.operator.${string}`> }[] = [
  { text: 'from:me', label: 'web.search.operator.own' },
  { text: 'from:@', label: 'web.search.operator.from' },
  { text: 'has:media', label: 'web.search.operator.media' },
  { text: 'has:poll', label: 'web.search.operator.poll' },
  { text: 'has:link', label: 'web.search.operator.link' },
  { text: 'has:quote', label: 'web.search.operator.quote' },
  { text: 'is:reply', label: 'web.search.operator.reply' },
  { text: 'is:sensitive', label: 'web.search.operator.sensitive' },
  { text: 'in:library', label: 'web.search.operator.library' },
  { text: 'language:', label: 'web.search.operator.language' },
  { text: 'before:', label: 'web.search.operator.before' },
  { text: 'during:', label: 'web.search.operator.during' },
  { text: 'after:', label: 'web.search.operator.after' },
]

/** Buttons that add an operator for posts to the search. */
export function OperatorChips({ onAdd }: { onAdd: (operator: string) => void }) {
  return (
    <section className={styles.section} aria-labelledby="search-operators">
      <h2 id="search-operators">{message('web.search.operators')}</h2>
      <ul className={styles.chips}>
        {OPERATORS.map(({ text, label }) => (
          <li key={text}>
            <button type="button" className={styles.chip} onClick={() => onAdd(text)}>
              <code dir="ltr">{text}</code> <span>{message(label)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

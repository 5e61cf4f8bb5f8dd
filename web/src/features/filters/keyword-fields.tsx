import { useId } from 'react'
import type { KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { createRow } from './keyword-changes.ts'
import type { KeywordRow } from './keyword-changes.ts'
import styles from './keyword-fields.module.css'

const MAX_CHARACTERS = 512

/** The keywords of a filter, one in a row. Enter goes on to the next row. */
export function KeywordFields({
  rows,
  onChange,
}: {
  rows: readonly KeywordRow[]
  onChange: (rows: KeywordRow[]) => void
}) {
  const id = useId()
  const focus = (key: string) => document.querySelector<HTMLElement>(`#${CSS.escape(id + key)}`)?.focus()
  const change = (row: KeywordRow, next: Partial<KeywordRow>) =>
    onChange(rows.map((one) => (one === row ? { ...row, ...next } : one)))
  const add = () => {
    const row = createRow()
    flushSync(() => onChange([...rows, row]))
    focus(row.key)
  }
  const remove = (index: number) => {
    const others = rows.toSpliced(index, 1)
    flushSync(() => onChange(others.length > 0 ? others : [createRow()]))
    const neighbour = others[index] ?? others.at(-1)
    if (neighbour) focus(neighbour.key)
    else document.querySelector<HTMLElement>(`#${CSS.escape(`${id}-add`)}`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    const next = rows[index + 1]
    if (next) focus(next.key)
    else if (rows[index]?.keyword.trim() !== '') add()
  }
  return (
    <fieldset className={styles.keywords}>
      <legend>{message('web.filters.keywords')}</legend>
      <p className={styles.hint}>{message('web.filters.keywords-hint')}</p>
      {rows.map((row, index) => {
        const place = { index: index + 1 }
        return (
          <div key={row.key} className={styles.row}>
            <input
              id={id + row.key}
              type="text"
              className={styles.input}
              aria-label={message('web.filters.keyword', place)}
              dir="auto"
              autoComplete="off"
              maxLength={MAX_CHARACTERS}
              value={row.keyword}
              onChange={({ target }) => change(row, { keyword: target.value })}
              onKeyDown={(event) => onKeyDown(event, index)}
            />
            <label className={styles.whole}>
              <input
                type="checkbox"
                aria-label={message('web.filters.whole-word-of', place)}
                checked={row.wholeWord}
                onChange={({ target }) => change(row, { wholeWord: target.checked })}
              />
              {message('web.filters.whole-word')}
            </label>
            <button
              type="button"
              className={styles.remove}
              aria-label={message('web.filters.remove-keyword', place)}
              title={message('web.filters.remove-keyword', place)}
              onClick={() => remove(index)}
            >
              <Icon name="close" />
            </button>
          </div>
        )
      })}
      <p>
        <button id={`${id}-add`} type="button" className="button button-line button-small" onClick={add}>
          <Icon name="plus" />
          {message('web.filters.add-keyword')}
        </button>
      </p>
    </fieldset>
  )
}

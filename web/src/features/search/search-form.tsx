import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { message } from '../../lib/i18n/messages.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { OperatorChips } from './operator-chips.tsx'
import { addRecentSearch, recentSearchesQuery } from './recent-searches.ts'
import type { SearchType } from './search-query.ts'
import styles from './search-form.module.css'

/**
 * The field for people, tags, posts and URLs. `query`: what is being searched for. `hasOperators`: with buttons for the
 * operators of post searches.
 */
export function SearchForm({
  query = '',
  type = 'all',
  focused = false,
  hasOperators = false,
}: {
  query?: string
  type?: SearchType
  focused?: boolean
  hasOperators?: boolean
}) {
  const [text, setText] = useState(query)
  const [shownQuery, setShownQuery] = useState(query)
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const client = useQueryClient()
  // Another search was opened, for example a recent one.
  if (query !== shownQuery) {
    setShownQuery(query)
    setText(query)
  }
  useEffect(() => {
    // The shell focuses the heading of a new page first.
    if (focused) requestAnimationFrame(() => field.current?.focus())
  }, [focused])
  const search = async (q: string, kind: SearchType) => {
    if (q === '') return
    await navigate({ to: '/search', search: { q, type: kind === 'all' ? undefined : kind } })
    client.setQueryData(recentSearchesQuery.queryKey, await addRecentSearch(q))
  }
  const addOperator = (operator: string) => {
    const words = text.trim()
    const next = words === '' ? operator : `${words} ${operator}`
    // Alone, an operator would find too much; one that ends like this needs a value.
    if (words !== '' && !/[:@]$/.test(operator)) return void search(next, 'statuses')
    setText(/[:@]$/.test(operator) ? next : `${next} `)
    field.current?.focus()
  }
  return (
    <>
      <form
        className={styles.form}
        role="search"
        onSubmit={(event) => {
          event.preventDefault()
          void search(text.trim(), type)
        }}
      >
        <Icon name="search" />
        <input
          ref={field}
          id="search-field"
          className={styles.field}
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          dir="auto"
          aria-label={message('web.search.label')}
          placeholder={message('web.search.label')}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur()
          }}
        />
      </form>
      {hasOperators && <OperatorChips onAdd={addOperator} />}
    </>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { customEmojisQuery } from '../../emojis/custom-emojis.ts'
import { rememberEmoji, unicodeEmojisQuery } from '../../emojis/emoji-queries.ts'
import { findToken, insertWord } from '../completion/completion.ts'
import type { Token } from '../completion/completion.ts'
import { SuggestionList } from '../completion/suggestion-list.tsx'
import { findSuggestions } from '../completion/suggestions.ts'
import type { Suggestion } from '../completion/suggestions.ts'
import { replaceText } from './replace-text.ts'
import styles from './text-field.module.css'

const TYPING_PAUSE_MS = 150

/**
 * The text of a post, with completion of mentions, hashtags and emojis: arrow keys choose, Enter and Tab accept, Escape
 * closes the list.
 */
export function TextField({
  id,
  text,
  language,
  isReadOnly,
  describedBy,
  onChange,
}: {
  id: string
  text: string
  language: string
  isReadOnly: boolean
  describedBy: string
  onChange: (text: string) => void
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [token, setToken] = useState<Token | null>(null)
  const suggestions = useSuggestions(token)
  const [activeIndex, setActiveIndex] = useState(0)
  const isOpen = token !== null && suggestions.length > 0
  const active = Math.min(activeIndex, suggestions.length - 1)

  const readToken = () => {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {}
    setToken(selectionStart === selectionEnd ? findToken(value, selectionStart) : null)
    setActiveIndex(0)
  }
  const accept = ({ type, word }: Suggestion) => {
    if (!token) return
    if (type === 'emoji') rememberEmoji(word)
    const next = insertWord(text, { ...token, word })
    setToken(null)
    if (field.current) replaceText(field.current, next, onChange)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isOpen || event.ctrlKey || event.metaKey || event.nativeEvent.isComposing) return
    const { key } = event
    if (key === 'ArrowDown') setActiveIndex((active + 1) % suggestions.length)
    else if (key === 'ArrowUp') setActiveIndex((active - 1 + suggestions.length) % suggestions.length)
    else if (key === 'Enter' || (key === 'Tab' && !event.shiftKey)) accept(suggestions[active]!)
    else if (key === 'Escape') setToken(null)
    else return
    event.preventDefault()
  }
  return (
    <div className={styles.field}>
      <textarea
        ref={field}
        id={id}
        className={styles.text}
        aria-label={message('web.composer.text')}
        aria-describedby={describedBy}
        aria-autocomplete="list"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
        placeholder={message('web.composer.text')}
        dir="auto"
        lang={language}
        rows={4}
        readOnly={isReadOnly}
        value={text}
        onChange={({ target }) => {
          onChange(target.value)
          readToken()
        }}
        onKeyDown={onKeyDown}
        onClick={readToken}
        onBlur={() => setToken(null)}
      />
      {isOpen && <SuggestionList id={listId} suggestions={suggestions} active={active} onAccept={accept} />}
      <p className="unseen" role="status">
        {isOpen ? message('web.composer.suggestions-count', { count: suggestions.length }) : ''}
      </p>
    </div>
  )
}

/** Returns the proposals for a word, after a pause in typing. The former ones stay until there are new ones. */
function useSuggestions(token: Token | null): readonly Suggestion[] {
  const completesEmoji = token?.type === 'emoji'
  const { data: custom = [] } = useQuery({ ...customEmojisQuery, enabled: completesEmoji })
  const { data: unicode = [] } = useQuery({ ...unicodeEmojisQuery, enabled: completesEmoji })
  const [wanted, setWanted] = useState<Pick<Token, 'type' | 'query'> | null>(null)
  const type = token?.type
  const query = token?.query
  useEffect(() => {
    if (type === undefined || query === undefined) return setWanted(null)
    const timer = setTimeout(() => setWanted({ type, query }), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [type, query])
  const { data: suggestions = [] } = useQuery({
    queryKey: ['suggestions', wanted?.type, wanted?.query, custom.length, unicode.length],
    queryFn: () => findSuggestions(wanted!, { custom, unicode }),
    enabled: wanted !== null,
    placeholderData: (previous) => previous,
  })
  return wanted !== null && wanted.type === type ? suggestions.filter((one) => one.type === type) : []
}

import { useEffect, useRef } from 'react'
import { formatCount } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Avatar } from '../../../ui/accounts/avatar.tsx'
import { DisplayName } from '../../../ui/accounts/display-name.tsx'
import { Icon } from '../../../ui/icons/icon.tsx'
import type { Suggestion } from './suggestions.ts'
import styles from '../editor/text-field.module.css'

/** The proposals for a word. The text field keeps the focus. */
export function SuggestionList({
  id,
  suggestions,
  active,
  onAccept,
}: {
  id: string
  suggestions: readonly Suggestion[]
  active: number
  onAccept: (suggestion: Suggestion) => void
}) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' })
  }, [active])
  return (
    <div ref={list} id={id} className={styles.list} role="listbox" aria-label={message('web.composer.suggestions')}>
      {suggestions.map((suggestion, index) => (
        <div
          key={suggestion.word}
          id={`${id}-${index}`}
          className={styles.option}
          role="option"
          aria-selected={index === active}
          // The field must not lose the focus, with which the list would close.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(suggestion)}
        >
          <Proposal suggestion={suggestion} />
        </div>
      ))}
    </div>
  )
}

function Proposal({ suggestion }: { suggestion: Suggestion }) {
  switch (suggestion.type) {
    case 'mention':
      return (
        <>
          <Avatar account={suggestion.account} size="s" />
          <span className={styles.account}>
            <strong className="cut-line">
              <DisplayName account={suggestion.account} />
            </strong>{' '}
            <span className={`cut-line ${styles.detail}`}>
              <bdi>@{suggestion.account.acct}</bdi>
            </span>
          </span>
        </>
      )
    case 'hashtag':
      return (
        <>
          <Icon name="tag" />
          <bdi className={styles.names}>{suggestion.word}</bdi>
          {suggestion.uses > 0 && <span className={styles.detail}>{formatCount(suggestion.uses)}</span>}
        </>
      )
    case 'emoji':
      return (
        <>
          {suggestion.url === undefined ? (
            <span className={styles.emoji} aria-hidden="true">
              {suggestion.word}
            </span>
          ) : (
            <img className={styles.emoji} src={suggestion.url} alt="" />
          )}
          <bdi className={styles.names}>{suggestion.name}</bdi>
        </>
      )
  }
}

import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { ActionButton } from '../shared/decisions/action-button.tsx'
import { AccountLine } from '../shared/list/account-line.tsx'
import { AdminList } from '../shared/list/admin-list.tsx'
import { focusNeighbour } from '../shared/list/focus-neighbour.ts'
import { suggestionAction, SUGGESTION_STATES, suggestionsQuery } from './suggestion-queries.ts'
import type { SuggestionRow, SuggestionState } from './suggestion-queries.ts'
import admin from '../shared/admin.module.css'
import rows from '../shared/list/row.module.css'

/** The accounts that are suggested to all users, in the order of the suggestions, or the suppressed ones. */
export function SuggestionList({ state }: { state: SuggestionState }) {
  const query = useInfiniteQuery(suggestionsQuery(state))
  return (
    <>
      <nav className={admin.tabs} aria-label={message('web.admin.filter')}>
        {SUGGESTION_STATES.map((name) => (
          <Link
            key={name}
            to="/admin/follow_recommendations"
            search={name === 'suppressed' ? { state: name } : {}}
            activeOptions={{ exact: true }}
            aria-current={name === state}
          >
            {message(`web.admin.suggestions.${name}`)}
          </Link>
        ))}
      </nav>
      <div className={admin.part}>
        <p className={admin.soft}>{message(`web.admin.suggestions.${state}.text`)}</p>
      </div>
      <AdminList query={query} empty={message(`web.admin.suggestions.${state}.empty`)}>
        {(suggestion) => <Suggestion suggestion={suggestion} />}
      </AdminList>
    </>
  )
}

function Suggestion({ suggestion }: { suggestion: SuggestionRow }) {
  const article = useRef<HTMLElement>(null)
  const { account, sources, suppressed } = suggestion
  const name = `@${account.acct}`
  return (
    <article ref={article} className={rows.row} tabIndex={0} aria-label={name}>
      <div className={rows.body}>
        <AccountLine account={account} size="s" />
        {sources.length > 0 && (
          <p className={admin.soft}>
            {sources.map((source) => message(`web.admin.suggestions.source.${source}`)).join(' · ')}
          </p>
        )}
      </div>
      <p className={admin.actions}>
        <ActionButton
          label={message(suppressed ? 'web.admin.suggestions.restore' : 'web.admin.suggestions.suppress')}
          name={name}
          action={{ ...suggestionAction(suggestion), after: () => focusNeighbour(article.current) }}
        />
      </p>
    </article>
  )
}

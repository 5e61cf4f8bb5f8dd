import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Account, Suggestion } from '../../lib/api/entities.ts'
import { changeAtOnce } from '../../lib/change-at-once.ts'
import { message } from '../../lib/i18n/messages.ts'
import type { MessageId } from '../../lib/i18n/messages.ts'
import { api } from '../../lib/session.ts'
import { Icon } from '../../ui/icons/icon.tsx'
import { Notice } from '../../ui/notices/notice.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { AccountResult } from '../search/account-result.tsx'
import { StatusSkeletons } from '../statuses/card/status-skeleton.tsx'
import { TrendFailure } from './trend-failure.tsx'
import { suggestionsQuery } from './trend-queries.ts'
import styles from './suggestions.module.css'

/** Accounts that the user might want to follow. `max`: only the first ones, without a button that removes one. */
export function Suggestions({ max }: { max?: number }) {
  // A followed account leaves the suggestions of the server, but stays here, so that it can be unfollowed.
  const { data: suggestions, isError, refetch } = useQuery({ ...suggestionsQuery, refetchOnWindowFocus: false })
  const client = useQueryClient()
  const list = useRef<HTMLUListElement>(null)
  const dismiss = async (id: string) => {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[data-account]') ?? [])]
    const index = items.findIndex(({ dataset }) => dataset['account'] === id)
    const next = items[index + 1] ?? items[index - 1]
    ;(next?.querySelector('a') ?? document.querySelector<HTMLElement>('main h1'))?.focus()
    // masto.js types the id of the path as a parameter.
    const suggestion = api().v1.suggestions.$select(id) as unknown as { remove: () => Promise<void> }
    try {
      await changeAtOnce<Suggestion[]>(client, suggestionsQuery.queryKey, {
        change: (before) => before.filter(({ account }) => account.id !== id),
        request: () => suggestion.remove(),
      })
    } catch {
      showToast({
        kind: 'alert',
        text: message('web.explore.dismiss-failed'),
        action: { label: message('web.retry'), run: () => void dismiss(id) },
      })
    }
  }
  if (isError && !suggestions) return <TrendFailure onRetry={() => void refetch()} />
  if (!suggestions) return <StatusSkeletons />
  if (suggestions.length === 0) return <Notice icon="people" title={message('web.explore.no-suggestions')} />
  return (
    <ul ref={list}>
      {suggestions.slice(0, max).map(({ account }) => (
        <AccountResult key={account.id} account={account}>
          <FollowButton account={account} />
          {max === undefined && (
            <button
              type="button"
              className={`icon-button ${styles.dismiss}`}
              aria-label={message('web.explore.dismiss', { name: `@${account.acct}` })}
              title={message('web.explore.dismiss', { name: `@${account.acct}` })}
              onClick={() => void dismiss(account.id)}
            >
              <Icon name="close" />
            </button>
          )}
        </AccountResult>
      ))}
    </ul>
  )
}

type FollowState = 'follow' | 'following' | 'requested'

const FOLLOW_TEXTS = {
  follow: 'web.explore.follow',
  following: 'web.explore.following',
  requested: 'web.relationship.requested',
} as const satisfies Record<FollowState, MessageId>

function FollowButton({ account }: { account: Account }) {
  const [state, setState] = useState<FollowState>('follow')
  const isFollowing = state !== 'follow'
  const follow = async (on: boolean) => {
    const before = state
    setState(on ? (account.locked ? 'requested' : 'following') : 'follow')
    try {
      const selected = api().v1.accounts.$select(account.id)
      const { requested } = await (on ? selected.follow() : selected.unfollow())
      // The user may have undone it meanwhile.
      setState((current) => (current === 'follow' ? current : requested ? 'requested' : 'following'))
    } catch {
      setState(before)
      showToast({
        kind: 'alert',
        text: message('web.explore.follow-failed'),
        action: { label: message('web.retry'), run: () => void follow(on) },
      })
    }
  }
  return (
    <button
      type="button"
      className={isFollowing ? 'button button-line' : 'button'}
      aria-pressed={isFollowing}
      onClick={() => void follow(!isFollowing)}
    >
      <span className="unseen">{message('web.explore.follow-name', { name: `@${account.acct}` })}</span>
      <span aria-hidden="true">{message(FOLLOW_TEXTS[state])}</span>
    </button>
  )
}

import { useQueryClient } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import type { Account } from '../../../lib/api/entities.ts'
import type { Page } from '../../../lib/api/pages.ts'
import { changeAtOnce } from '../../../lib/change-at-once.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { announce } from '../../../ui/notices/announcer.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { sendRelationship } from '../../relationships/change-relationship.ts'
import { AccountList } from './account-list.tsx'
import { followRequestsQuery } from './account-queries.ts'
import { ownAccountQuery } from '../own/own-account.ts'

/** The accounts that ask to follow the user. */
export function FollowRequests() {
  return (
    <AccountList
      query={followRequestsQuery}
      label={message('web.accounts.requests')}
      withBiography
      empty={<Notice icon="follow" title={message('web.accounts.requests-empty')} />}
      actions={(account) => <Answers account={account} />}
    />
  )
}

function Answers({ account: { id, acct } }: { account: Account }) {
  const queryClient = useQueryClient()
  const answer = async (type: 'accept' | 'reject') => {
    announce(message(`web.request.${type}ed`, { name: `@${acct}` }))
    try {
      await changeAtOnce<InfiniteData<Page<Account>>>(queryClient, followRequestsQuery.queryKey, {
        change: (data) => ({
          ...data,
          pages: data.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
        }),
        request: () => sendRelationship(id, { type }),
      })
    } catch {
      showToast({
        kind: 'alert',
        text: message(`web.relationship.${type}-failed`),
        action: { label: message('web.retry'), run: () => void answer(type) },
      })
    }
    void queryClient.invalidateQueries(ownAccountQuery)
  }
  const press = (type: 'accept' | 'reject', button: HTMLElement) => {
    const neighbour = neighbourOf(button)
    void answer(type)
    neighbour?.focus()
  }
  return (
    <>
      <button
        type="button"
        className="button button-small"
        aria-label={`${message('web.request.accept')} @${acct}`}
        onClick={({ currentTarget }) => press('accept', currentTarget)}
      >
        {message('web.request.accept')}
      </button>
      <button
        type="button"
        className="button button-line button-small"
        aria-label={`${message('web.request.reject')} @${acct}`}
        onClick={({ currentTarget }) => press('reject', currentTarget)}
      >
        {message('web.request.reject')}
      </button>
    </>
  )
}

/** The first button of the next request, else of the previous one, else the heading of the page. */
function neighbourOf(button: HTMLElement): HTMLElement | null {
  const row = button.closest('li')
  const next = row?.nextElementSibling ?? row?.previousElementSibling
  return next?.querySelector('button') ?? document.querySelector<HTMLElement>('main h1')
}

import { useQueryClient } from '@tanstack/react-query'
import { message } from '../../../lib/i18n/messages.ts'
import type { Account } from '../../../lib/api/entities.ts'
import { announce } from '../../../ui/notices/announcer.ts'
import { Notice } from '../../../ui/notices/notice.tsx'
import { changeRelationship } from '../../relationships/change-relationship.ts'
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
  const answer = async (type: 'accept' | 'reject', button: HTMLElement) => {
    const neighbour = neighbourOf(button)
    const { queryKey } = followRequestsQuery
    const before = queryClient.getQueryData(queryKey)
    queryClient.setQueryData(
      queryKey,
      before && {
        ...before,
        pages: before.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
      },
    )
    neighbour?.focus()
    announce(message(`web.request.${type}ed`, { name: `@${acct}` }))
    if (!(await changeRelationship(id, { type }))) queryClient.setQueryData(queryKey, before)
    void queryClient.invalidateQueries(ownAccountQuery)
  }
  return (
    <>
      <button
        type="button"
        className="button button-small"
        aria-label={`${message('web.request.accept')} @${acct}`}
        onClick={({ currentTarget }) => void answer('accept', currentTarget)}
      >
        {message('web.request.accept')}
      </button>
      <button
        type="button"
        className="button button-line button-small"
        aria-label={`${message('web.request.reject')} @${acct}`}
        onClick={({ currentTarget }) => void answer('reject', currentTarget)}
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

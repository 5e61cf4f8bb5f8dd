import { useInfiniteQuery } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api } from '../../lib/session.ts'
import type { Account, Status } from '../../lib/api/entities.ts'
import { loadPage } from '../../lib/api/pages.ts'
import type { Page } from '../../lib/api/pages.ts'
import { message } from '../../lib/i18n/messages.ts'
import { AccountRow } from '../../features/statuses/card/account-row.tsx'
import { StatusCard } from '../../features/statuses/card/status-card.tsx'
import { StatusSkeletons } from '../../features/statuses/card/status-skeleton.tsx'
import { saveStatuses } from '../../features/statuses/status-store.ts'
import { Notice } from '../../ui/notices/notice.tsx'
import { PageHead } from '../../ui/page/page-head.tsx'
import { SteadyButton } from '../../ui/forms/steady-button.tsx'
import styles from './status-list-pages.module.css'

/** The accounts that boosted a status. */
export function ReblogsPage() {
  const { id } = useParams({ from: '/@{$acct}/$id/reblogs' })
  const list = usePages('reblogs', id, { list: api().v1.statuses.$select(id).rebloggedBy.list, read: readAccounts })
  return <AccountsPage title={message('web.list.reblogs')} empty={message('web.list.reblogs-empty')} list={list} />
}

/** The accounts that favourited a status. */
export function FavouritesPage() {
  const { id } = useParams({ from: '/@{$acct}/$id/favourites' })
  const list = usePages('favourites', id, { list: api().v1.statuses.$select(id).favouritedBy.list, read: readAccounts })
  return (
    <AccountsPage title={message('web.list.favourites')} empty={message('web.list.favourites-empty')} list={list} />
  )
}

/** The statuses that quote a status. */
export function QuotesPage() {
  const { id } = useParams({ from: '/@{$acct}/$id/quotes' })
  const list = usePages('quotes', id, {
    list: api().v1.statuses.$select(id).quotes.list,
    read: (data) => saveStatuses(data as Status[]),
  })
  return (
    <ListPage title={message('web.list.quotes')} empty={message('web.list.quotes-empty')} list={list}>
      {itemsOf(list).map((quoteId) => (
        <StatusCard key={quoteId} id={quoteId} />
      ))}
    </ListPage>
  )
}

type List<Item> = UseInfiniteQueryResult<InfiniteData<Page<Item>>>

const readAccounts = (data: unknown) => data as Account[]

function usePages<Item>(
  name: string,
  id: string,
  { list, read }: { list: unknown; read: (data: unknown) => readonly Item[] },
): List<Item> {
  return useInfiniteQuery({
    queryKey: ['status-list', name, id],
    queryFn: ({ pageParam }) => loadPage({ list, read, maxId: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ maxId }) => maxId,
  })
}

const itemsOf = <Item,>({ data }: List<Item>): readonly Item[] => data?.pages.flatMap(({ items }) => items) ?? []

function AccountsPage({ title, empty, list }: { title: string; empty: string; list: List<Account> }) {
  return (
    <ListPage title={title} empty={empty} list={list}>
      <ul>
        {itemsOf(list).map((account) => (
          <li key={account.id}>
            <AccountRow account={account} />
          </li>
        ))}
      </ul>
    </ListPage>
  )
}

function ListPage<Item>({
  title,
  empty,
  list,
  children,
}: {
  title: string
  empty: string
  list: List<Item>
  children: ReactNode
}) {
  const { isPending, isError, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = list
  const isEmpty = itemsOf(list).length === 0
  return (
    <>
      <PageHead title={title} back />
      {isPending ? <StatusSkeletons /> : isEmpty && !isError ? <Notice icon="people" title={empty} /> : children}
      {isError && (
        <Notice icon="warning" title={message('web.list.failed')} role="alert">
          <button type="button" className="button" onClick={() => void (isEmpty ? refetch() : fetchNextPage())}>
            {message('web.retry')}
          </button>
        </Notice>
      )}
      {hasNextPage && !isError && (
        <p className={styles.more}>
          <SteadyButton
            className="button button-line"
            data-key="l"
            isUnusable={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {message('web.timeline.gap')}
          </SteadyButton>
        </p>
      )}
    </>
  )
}

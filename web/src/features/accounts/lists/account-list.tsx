import { useInfiniteQuery } from '@tanstack/react-query'
import type { InfiniteData, UndefinedInitialDataInfiniteOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Page } from '../../../lib/api/pages.ts'
import type { Account } from '../../../lib/api/entities.ts'
import { PagedList } from '../../../ui/lists/paged-list.tsx'
import { FollowButton } from '../../relationships/follow-button.tsx'
import { AccountRow } from './account-row.tsx'
import { AccountSkeletons } from './account-skeletons.tsx'

type ListOptions<Item> = UndefinedInitialDataInfiniteOptions<
  Page<Item>,
  Error,
  InfiniteData<Page<Item>>,
  string[],
  string
>

/** The accounts of a list, page by page. `actions`: the buttons of a row; default: the one that follows. */
export function AccountList<Item extends Account>({
  query,
  label,
  empty,
  actions = (account) => <FollowButton account={account} />,
  noteOf,
  withBiography = false,
}: {
  query: ListOptions<Item>
  label: string
  empty: ReactNode
  actions?: (account: Item) => ReactNode
  noteOf?: (account: Item) => ReactNode
  withBiography?: boolean
}) {
  const result = useInfiniteQuery(query)
  return (
    <PagedList
      result={result}
      label={label}
      empty={empty}
      skeleton={<AccountSkeletons />}
      keyOf={({ id }) => id}
      renderItem={(account) => (
        <AccountRow account={account} withBiography={withBiography} note={noteOf?.(account)}>
          {actions(account)}
        </AccountRow>
      )}
    />
  )
}

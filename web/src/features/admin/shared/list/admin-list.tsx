import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { ReactNode } from 'react'
import { message } from '../../../../lib/i18n/messages.ts'
import { Notice } from '../../../../ui/notices/notice.tsx'
import { SteadyButton } from '../../../../ui/forms/steady-button.tsx'
import { QueryResult } from './query-result.tsx'
import admin from '../admin.module.css'

/** The rows of a list with pages. `empty`: what to say if there are none; without it, nothing. */
export function AdminList<Row extends { id: string }>({
  query,
  empty,
  filter = () => true,
  children,
}: {
  query: UseInfiniteQueryResult<InfiniteData<Row[]>>
  empty?: string
  /** Leaves out rows that the server cannot leave out. */
  filter?: (row: Row) => boolean
  children: (row: Row) => ReactNode
}) {
  return (
    <QueryResult query={query}>
      {({ pages }) => {
        const rows = pages.flat().filter(filter)
        return (
          <>
            {rows.map((row) => (
              <Fragment key={row.id}>{children(row)}</Fragment>
            ))}
            {query.hasNextPage ? (
              <p className={admin.part}>
                <SteadyButton
                  className="button button-line"
                  isUnusable={query.isFetchingNextPage}
                  onClick={() => void query.fetchNextPage()}
                >
                  {message('web.admin.more')}
                </SteadyButton>
              </p>
            ) : (
              rows.length === 0 && empty !== undefined && <Notice icon="check" title={empty} />
            )}
          </>
        )
      }}
    </QueryResult>
  )
}

import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Fragment, useLayoutEffect, useRef } from 'react'
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
              <MoreButton isLoading={query.isFetchingNextPage} load={() => void query.fetchNextPage()} />
            ) : (
              rows.length === 0 && empty !== undefined && <Notice icon="check" title={empty} />
            )}
          </>
        )
      }}
    </QueryResult>
  )
}

/** The button that loads the next page. With the last one, it disappears, and the first row of that page gets the focus. */
function MoreButton({ isLoading, load }: { isLoading: boolean; load: () => void }) {
  const place = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const paragraph = place.current
    return () => {
      const last = paragraph?.previousElementSibling
      if (!paragraph?.contains(document.activeElement)) return
      setTimeout(() => {
        const next = last?.nextElementSibling
        if (next instanceof HTMLElement) next.focus()
      })
    }
  }, [])
  return (
    <p ref={place} className={admin.part}>
      <SteadyButton className="button button-line" isUnusable={isLoading} onClick={load}>
        {message('web.admin.more')}
      </SteadyButton>
    </p>
  )
}

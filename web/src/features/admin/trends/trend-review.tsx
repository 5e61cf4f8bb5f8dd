import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { message } from '../../../lib/i18n/messages.ts'
import { useAction } from '../shared/decisions/use-action.ts'
import { AdminList } from '../shared/list/admin-list.tsx'
import { useSelection } from '../shared/list/use-selection.ts'
import { TREND_KINDS } from './trend-filters.ts'
import type { TrendFilters } from './trend-filters.ts'
import { reviewTrends, trendsQuery } from './trend-queries.ts'
import { TrendEntry } from './trend-entry.tsx'
import admin from '../shared/admin.module.css'
import styles from './trend-review.module.css'
import { SteadyButton } from '../../../ui/forms/steady-button.tsx'

/** The trends of a kind, which are approved or rejected one by one or several at once. */
export function TrendReview({ kind = 'statuses', review }: TrendFilters) {
  const query = useInfiniteQuery(trendsQuery(kind))
  const selection = useSelection()
  const [isBusy, setIsBusy] = useState(false)
  const act = useAction()
  const shown = (query.data?.pages.flat() ?? []).filter((row) => review === undefined || row.requiresReview)
  const selected = shown.filter(({ id }) => selection.ids.has(id)).map(({ id }) => id)
  const decide = async (ids: readonly string[], decision: 'approve' | 'reject') => {
    if (isBusy || ids.length === 0) return
    setIsBusy(true)
    const done = message(
      decision === 'approve' ? 'web.admin.trends.approved-count' : 'web.admin.trends.rejected-count',
      {
        count: ids.length,
      },
    )
    await act({ run: () => reviewTrends(kind, { ids, decision }), done, after: () => selection.replace([]) })
    setIsBusy(false)
  }
  return (
    <>
      <nav className={admin.tabs} aria-label={message('web.admin.trends.kinds')}>
        {TREND_KINDS.map((name) => (
          <Link
            key={name}
            to="/admin/trends"
            search={{ kind: name, ...(review && { review }) }}
            aria-current={name === kind}
            onClick={() => selection.replace([])}
          >
            {message(`web.admin.trends.kind.${name}`)}
          </Link>
        ))}
      </nav>
      <nav className={admin.tabs} aria-label={message('web.admin.filter')}>
        {([undefined, 'pending'] as const).map((name) => (
          <Link
            key={name ?? 'all'}
            to="/admin/trends"
            search={{ kind, ...(name && { review: name }) }}
            activeOptions={{ exact: true }}
            aria-current={name === review}
          >
            {message(name ? 'web.admin.trends.pending' : 'web.admin.accounts.all')}
          </Link>
        ))}
      </nav>
      {shown.length > 0 && (
        <div className={styles.bulk} role="group" aria-label={message('web.admin.selection')}>
          <label className={admin.check}>
            <input
              type="checkbox"
              checked={selected.length === shown.length}
              onChange={({ target }) => selection.replace(target.checked ? shown.map(({ id }) => id) : [])}
            />
            {message('web.admin.select-all')}
          </label>
          <span className={admin.soft} role="status">
            {selected.length > 0 && message('web.admin.selected-count', { count: selected.length })}
          </span>
          {(['approve', 'reject'] as const).map((decision) => (
            <SteadyButton
              key={decision}
              className={decision === 'approve' ? 'button button-small' : 'button button-line button-small'}
              isUnusable={selected.length === 0 || isBusy}
              onClick={() => void decide(selected, decision)}
            >
              {message(
                decision === 'approve' ? 'web.admin.trends.approve-selected' : 'web.admin.trends.reject-selected',
              )}
            </SteadyButton>
          ))}
        </div>
      )}
      <AdminList
        query={query}
        empty={message(review ? 'web.admin.trends.nothing-pending' : 'web.admin.trends.empty')}
        filter={(row) => review === undefined || row.requiresReview}
      >
        {(row) => (
          <TrendEntry
            row={row}
            isSelected={selection.ids.has(row.id)}
            onSelect={() => selection.toggle(row.id)}
            onDecide={(decision) => void decide([row.id], decision)}
          />
        )}
      </AdminList>
    </>
  )
}

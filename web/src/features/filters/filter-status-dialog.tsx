import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Filter } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { closeDialog } from '../../ui/dialogs/confirmation.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { Checkbox } from '../../ui/forms/form-fields.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { LoadingFailed } from '../../ui/lists/paged-list.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { filtersQuery, isExpired, useFilterChanges } from './filter-queries.ts'
import styles from './filter-status-dialog.module.css'

/** Adds a post to filters of the user and removes it from them. */
export function FilterStatusDialog({ statusId, onClose }: { statusId: string; onClose: () => void }) {
  const { data, isError, isPending, refetch } = useQuery(filtersQuery)
  const navigate = useNavigate()
  const { addStatus, removeStatus } = useFilterChanges()
  const entryOf = ({ statuses = [] }: Filter) => statuses.find((entry) => entry.statusId === statusId)
  /** What the user has chosen, by the ids of filters, until the server has responded. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map())
  const toggle = async (filter: Filter): Promise<void> => {
    // A second request, by a double click, would be refused, and the user would read that the first one has failed.
    if (chosen.has(filter.id)) return
    const entry = entryOf(filter)
    setChosen((before) => new Map(before).set(filter.id, entry === undefined))
    try {
      await (entry ? removeStatus(filter.id, entry) : addStatus(filter.id, statusId))
    } catch {
      showToast({ kind: 'alert', text: message('web.filters.failed') })
    }
    setChosen((before) => new Map([...before].filter(([id]) => id !== filter.id)))
  }
  return (
    <Dialog title={message('web.filters.filter-status')} onClose={onClose}>
      <p className={styles.text}>{message('web.filters.filter-status-text')}</p>
      {isError && <LoadingFailed retry={() => void refetch()} />}
      {isPending && <p role="status">{message('web.loading')}</p>}
      {data?.map((filter) => (
        <Checkbox
          key={filter.id}
          label={<bdi>{filter.title}</bdi>}
          hint={
            isExpired(filter) ? message('web.filters.expired') : message(`web.filters.action-${filter.filterAction}`)
          }
          isChecked={chosen.get(filter.id) ?? entryOf(filter) !== undefined}
          onChange={() => void toggle(filter)}
        />
      ))}
      <p className={styles.actions}>
        <button
          type="button"
          className="button button-line"
          onClick={(event) => {
            closeDialog(event)
            void navigate({ to: '/filters/new', search: { status: statusId } })
          }}
        >
          <Icon name="plus" />
          {message('web.filters.new')}
        </button>
      </p>
    </Dialog>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Filter } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Confirmation } from '../../ui/dialogs/confirmation.tsx'
import { LoadingFailed } from '../../ui/lists/paged-list.tsx'
import { showToast } from '../../ui/notices/toasts.tsx'
import { AccountSkeletons } from '../accounts/lists/account-skeletons.tsx'
import { FilterForm } from './filter-form.tsx'
import { FilterStatuses } from './filter-statuses.tsx'
import { filterQuery, useFilterChanges } from './filter-queries.ts'
import styles from './filter-editor.module.css'

/** A filter with its settings and posts, and a button that deletes it. `onDone`: it was saved or deleted. */
export function FilterEditor({ id, onDone }: { id: string; onDone: () => void }) {
  // The form must not change under the user's hands.
  const { data, isError, error, refetch } = useQuery({ ...filterQuery(id), refetchOnWindowFocus: false })
  const { updateFilter } = useFilterChanges()
  if (!data)
    return isError ? <LoadingFailed error={error} retry={() => void refetch()} /> : <AccountSkeletons count={3} />
  return (
    <>
      <FilterForm
        key={id}
        filter={data}
        onSave={async (settings) => {
          await updateFilter(id, settings)
          showToast({ kind: 'good', text: message('web.filters.saved') })
          onDone()
        }}
      />
      <FilterStatuses filter={data} />
      <DeleteButton filter={data} onDeleted={onDone} />
    </>
  )
}

function DeleteButton({ filter: { id, title }, onDeleted }: { filter: Filter; onDeleted: () => void }) {
  const [isAsking, setIsAsking] = useState(false)
  const { deleteFilter } = useFilterChanges()
  const remove = async () => {
    try {
      await deleteFilter(id)
      showToast({ kind: 'good', text: message('web.filters.deleted') })
      onDeleted()
    } catch {
      showToast({
        kind: 'alert',
        text: message('web.filters.delete-failed'),
        action: { label: message('web.retry'), run: () => void remove() },
      })
    }
  }
  return (
    <p className={styles.delete}>
      <button type="button" className="button button-line" onClick={() => setIsAsking(true)}>
        {message('web.filters.delete')}
      </button>
      {isAsking && (
        <Confirmation
          title={message('web.filters.delete-title')}
          text={message('web.filters.delete-text', { title })}
          confirm={message('web.filters.delete')}
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        />
      )}
    </p>
  )
}

import { message } from '../../../lib/i18n/messages.ts'
import type { Collection } from '../../../lib/api/entities.ts'
import { Confirmation } from '../../../ui/dialogs/confirmation.tsx'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { useCollectionChanges } from '../collection-changes.ts'

/** Asks before the user leaves a collection of another account, which is final. */
export function LeaveDialog({
  collection,
  onLeft,
  onClose,
}: {
  collection: Collection
  onLeft?: (() => void) | undefined
  onClose: () => void
}) {
  const { leaveCollection } = useCollectionChanges()
  const { name } = collection
  const leave = async () => {
    try {
      await leaveCollection(collection)
      showToast({ kind: 'good', text: message('web.collections.left', { name }) })
      onLeft?.()
    } catch {
      showToast({
        kind: 'alert',
        text: message('web.collections.leave-failed'),
        action: { label: message('web.retry'), run: () => void leave() },
      })
    }
  }
  return (
    <Confirmation
      title={message('web.collections.leave-title')}
      text={message('web.collections.leave-text', { name })}
      confirm={message('web.collections.leave')}
      onConfirm={() => void leave()}
      onClose={onClose}
    />
  )
}

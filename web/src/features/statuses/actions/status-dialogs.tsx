import { lazy, useSyncExternalStore } from 'react'
import { loadMessages } from '../../../lib/i18n/messages.ts'
import { LazyPart } from '../../../ui/lazy-part.tsx'
import { closeStatusDialog, currentStatusDialog, subscribeToStatusDialog } from './open-status-dialog.ts'
import type { StatusDialog } from './open-status-dialog.ts'

const MediaViewer = lazy(async () => ({ default: (await import('../media/media-viewer.tsx')).MediaViewer }))
const EditHistory = lazy(async () => ({ default: (await import('./edit-history.tsx')).EditHistory }))
const ReportDialog = lazy(async () => ({ default: (await import('../../reports/report-dialog.tsx')).ReportDialog }))
const FilterStatusDialog = lazy(async () => {
  const [{ FilterStatusDialog }] = await Promise.all([
    import('../../filters/filter-status-dialog.tsx'),
    loadMessages('filters'),
  ])
  return { default: FilterStatusDialog }
})
const Confirmation = lazy(async () => ({ default: (await import('./confirmation.tsx')).Confirmation }))

/** The dialog about a status that is open. */
export function StatusDialogs() {
  const dialog = useSyncExternalStore(subscribeToStatusDialog, currentStatusDialog)
  return dialog && <LazyPart onFailure={closeStatusDialog}>{render(dialog)}</LazyPart>
}

function render(dialog: StatusDialog) {
  const { type, status } = dialog
  switch (type) {
    case 'media':
      return <MediaViewer status={status} start={dialog.index} onClose={closeStatusDialog} />
    case 'history':
      return <EditHistory status={status} onClose={closeStatusDialog} />
    case 'report':
      return <ReportDialog account={status.account} statusIds={[status.id]} onClose={closeStatusDialog} />
    case 'filter':
      return <FilterStatusDialog statusId={status.id} onClose={closeStatusDialog} />
    case 'delete':
    case 'redraft':
    case 'revoke-quote':
    case 'mute':
    case 'block':
    case 'block-domain':
      return <Confirmation action={type} status={status} onClose={closeStatusDialog} />
  }
}

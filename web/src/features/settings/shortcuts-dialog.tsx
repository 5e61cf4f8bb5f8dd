import { message } from '../../lib/i18n/messages.ts'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { ShortcutList } from './shortcut-list.tsx'

/** The help that `?` opens. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={message('web.shortcuts.title')} onClose={onClose}>
      <ShortcutList />
    </Dialog>
  )
}

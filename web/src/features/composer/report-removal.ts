import { message } from '../../lib/i18n/messages.ts'
import { showToast } from '../../ui/notices/toasts.tsx'

/** Says that a part of the draft was removed, with a button that puts it back. */
export function reportRemoval(part: 'post' | 'file', restore: () => void): void {
  showToast({
    kind: 'good',
    text: message(`web.composer.${part}-removed`),
    action: { label: message('web.drafts.undo'), run: restore },
  })
}

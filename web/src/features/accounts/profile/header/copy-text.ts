import { message } from '../../../../lib/i18n/messages.ts'
import { showToast } from '../../../../ui/notices/toasts.tsx'

/** Copies a text. Browsers forbid it without HTTPS; then a message shows the text, to be copied by hand. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ kind: 'good', text: message('web.profile.copied') })
  } catch {
    showToast({ kind: 'alert', text: message('web.profile.copy-failed', { text }) })
  }
}

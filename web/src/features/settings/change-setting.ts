import { clientSettings } from '../../lib/settings.ts'
import type { ClientSettings } from '../../lib/settings.ts'
import { message } from '../../lib/i18n/messages.ts'
import { showToast } from '../../ui/notices/toasts.tsx'

/** Changes a setting of this client at once. The message has a button that takes it back. */
export function changeSetting<Name extends keyof ClientSettings>(name: Name, value: ClientSettings[Name]): void {
  const before = clientSettings.get()[name]
  clientSettings.change({ [name]: value })
  reportSaved(() => clientSettings.change({ [name]: before }))
}

/** Says that a setting is saved, with a button that takes it back. */
export function reportSaved(undo: () => void): void {
  showToast({
    kind: 'good',
    text: message('web.settings.saved'),
    action: { label: message('web.settings.undo'), run: undo },
  })
}

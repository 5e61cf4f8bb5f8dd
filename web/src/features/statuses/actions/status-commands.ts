import { api } from '../../../lib/session.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { showToast } from '../../../ui/notices/toasts.tsx'
import { statusStore } from '../status-store.ts'
import type { StoredStatus } from '../status-store.ts'

/** Returns the domain of a remote account; undefined for a local one. */
export function domainOf({ acct }: { acct: string }): string | undefined {
  return acct.split('@')[1]
}

/** Pins a status of the user to the profile, or mutes its conversation; or takes it back. */
export async function toggleFlag(flag: 'pinned' | 'muted', { id, on }: { id: string; on: boolean }): Promise<void> {
  const change = (status: StoredStatus) => ({ ...status, [flag]: on })
  const status = api().v1.statuses.$select(id)
  try {
    await statusStore.act(id, change, () =>
      flag === 'pinned' ? (on ? status.pin() : status.unpin()) : on ? status.mute() : status.unmute(),
    )
    showToast({ kind: 'good', text: message(`web.menu.${flag}-${on ? 'on' : 'off'}`) })
  } catch {
    showToast({
      kind: 'alert',
      text: message(`web.menu.${flag}-failed`),
      action: { label: message('web.retry'), run: () => void toggleFlag(flag, { id, on }) },
    })
  }
}

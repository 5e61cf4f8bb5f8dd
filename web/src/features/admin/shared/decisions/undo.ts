import { reasonOf } from '../../../../lib/api/reason-of.ts'
import { message } from '../../../../lib/i18n/messages.ts'
import { announce } from '../../../../ui/notices/announcer.ts'
import { showToast } from '../../../../ui/notices/toasts.tsx'

/** A decision that was just made. `undo` takes it back; null if that is not possible. */
export interface Decision {
  text: string
  undo: (() => Promise<unknown>) | null
}

let latest: Decision | null = null
const listeners = new Set<() => void>()

function set(decision: Decision | null): void {
  latest = decision
  for (const listener of listeners) listener()
}

export const latestDecision = () => latest

export const subscribeToDecisions = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows what was decided above the page, with a button that takes it back. */
export function showDecision(decision: Decision): void {
  announce(decision.text)
  set(decision)
}

export function hideDecision(): void {
  set(null)
}

/** Takes the latest decision back. After a failure, a message has a button that tries again. */
export async function undoDecision(decision: Decision): Promise<void> {
  hideDecision()
  try {
    await decision.undo?.()
    announce(message('web.admin.undone'))
  } catch {
    showToast({
      kind: 'alert',
      text: message('web.admin.undo-failed'),
      action: { label: message('web.retry'), run: () => void undoDecision(decision) },
    })
  }
}

/**
 * Runs an action; a failure is shown with the reason that the server gives: in the open dialog, whose button tries again,
 * since messages behind it cannot be reached; else as a message. Returns whether the action succeeded.
 */
export async function runOrReport(run: () => Promise<unknown>): Promise<boolean> {
  try {
    showInDialog('')
    await run()
    return true
  } catch (error) {
    const reason = reasonOf(error, message('web.admin.action-failed'))
    if (!showInDialog(reason))
      showToast({
        kind: 'alert',
        text: reason,
        action: { label: message('web.retry'), run: () => void runOrReport(run) },
      })
    return false
  }
}

/** Returns whether a dialog is open. */
function showInDialog(text: string): boolean {
  const place = document.querySelector('dialog[open] [data-failure]')
  if (place) place.textContent = text
  return place !== null
}

import type { StoredStatus } from '../status-store.ts'

/** A dialog about a status. It is not part of the card, which leaves the document when it is scrolled out of sight. */
export type StatusDialog =
  | { type: 'media'; status: StoredStatus; index: number }
  | { type: 'history' | 'report' | 'filter' | ConfirmedAction; status: StoredStatus }

/** An action that the user must confirm. */
export type ConfirmedAction = 'delete' | 'redraft' | 'revoke-quote' | 'mute' | 'block' | 'block-domain'

let dialog: StatusDialog | null = null
const listeners = new Set<() => void>()

export function openStatusDialog(next: StatusDialog): void {
  set(next)
}

export function closeStatusDialog(): void {
  set(null)
}

/** Returns the open dialog; null if none is open. */
export const currentStatusDialog = (): StatusDialog | null => dialog

export const subscribeToStatusDialog = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: StatusDialog | null): void {
  dialog = next
  for (const listener of listeners) listener()
}

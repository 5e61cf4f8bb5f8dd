import type { Visibility } from '../drafts/draft.ts'
import type { StoredStatus } from '../statuses/status-store.ts'

/** The text and the content warning of a status as they were typed. */
export interface StatusSource {
  text: string
  spoilerText: string
}

/**
 * Why the composer is opened. `draft`: to go on with a stored draft. `redraft`: to write a deleted status again, whose
 * `source` is its text as it was typed.
 */
export type ComposerIntent =
  | { type: 'new'; text?: string; visibility?: Visibility }
  | { type: 'draft'; draftId: string }
  | { type: 'reply' | 'quote' | 'edit'; status: StoredStatus }
  | { type: 'redraft'; status: StoredStatus; source: StatusSource }

/** The draft that this window shows, so that the composer opens again after a reload or a log-in. */
const OPEN_DRAFT = 'linnet-open-draft'

let intent: ComposerIntent | null = readOpenDraft()
const listeners = new Set<() => void>()

/** Opens the composer. */
export function openComposer(next: ComposerIntent): void {
  set(next)
}

export function closeComposer(): void {
  sessionStorage.removeItem(OPEN_DRAFT)
  set(null)
}

/** Makes the composer open with this draft if the window is loaded again. */
export function rememberOpenDraft(draftId: string): void {
  try {
    sessionStorage.setItem(OPEN_DRAFT, draftId)
  } catch {
    // The storage of the window is full: the composer stays closed then, and the draft is on the shelf.
  }
}

/** Returns why the composer is open; null if it is closed. */
export const currentIntent = (): ComposerIntent | null => intent

export const subscribeToComposer = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function set(next: ComposerIntent | null): void {
  intent = next
  for (const listener of listeners) listener()
}

function readOpenDraft(): ComposerIntent | null {
  const draftId = sessionStorage.getItem(OPEN_DRAFT)
  return draftId === null ? null : { type: 'draft', draftId }
}

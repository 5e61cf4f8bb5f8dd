import type { VirtualItem } from '@tanstack/react-virtual'
import { currentAccountId } from '../../lib/session.ts'

interface Position {
  scrollY: number
  /** The heights of the rows, so that the restored position is exact before they are measured again. */
  measurements: VirtualItem[]
}

const positions = new Map<string, Position>()

/** Returns where the user left a timeline in this window, also before a reload, or undefined. */
export function recallPosition(timelineKey: string): Position | undefined {
  const remembered = positions.get(timelineKey)
  if (remembered) return remembered
  const stored = sessionStorage.getItem(storageKey(timelineKey))
  if (stored === null) return undefined
  sessionStorage.removeItem(storageKey(timelineKey))
  // React may discard the first rendering and ask again.
  const position = JSON.parse(stored) as Position
  positions.set(timelineKey, position)
  return position
}

/** Returns whether the window was reloaded at a position of a timeline that was not recalled yet. */
export function hasStoredPosition(timelineKey: string): boolean {
  return sessionStorage.getItem(storageKey(timelineKey)) !== null
}

export function rememberPosition(timelineKey: string, position: Position): void {
  positions.set(timelineKey, position)
}

/** Stores a position for the time after a reload of the window. */
export function storePosition(timelineKey: string, position: Position): void {
  try {
    sessionStorage.setItem(storageKey(timelineKey), JSON.stringify(position))
  } catch {
    // The storage of the window is full: it starts at the top.
  }
}

const storageKey = (timelineKey: string) => `linnet-position-${currentAccountId()}-${timelineKey}`

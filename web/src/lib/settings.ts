import { useSyncExternalStore } from 'react'
import { readValue, writeValue } from './database.ts'

/** What a user can set for this client. The settings of an account on this server are in the account itself. */
export interface ClientSettings {
  textSize: 'small' | 'normal' | 'large' | 'largest'
  reducedMotion: boolean
  /** Which media are covered until the user uncovers them; `default`: sensitive ones. */
  media: 'default' | 'show_all' | 'hide_all'
  /** Whether posts with a content warning are open. */
  expandWarnings: boolean
  /** When animated avatars and emojis move. */
  animate: 'hover' | 'never'
  /** Whether single keys without a modifier are shortcuts (WCAG 2.1.4). */
  singleKeys: boolean
  /** Whether the home timeline contains boosts. */
  showBoosts: boolean
  /** Whether the home timeline contains replies to other accounts. */
  showReplies: boolean
  confirmBoost: boolean
  /** Whether links to threads open them in the side column of wide windows. */
  threadsBeside: boolean
  /** Whether the composer opens in the side column of wide windows, not as a dialog. */
  composerBeside: boolean
  /** Whether the composer asks before it posts media without a description. */
  askForAltText: boolean
  /** The skin tone of emojis: 0 for none, then from 1 (light) to 5 (dark). */
  skinTone: number
  /** The emojis that were inserted last, the newest first: characters, or codes as `:linnet:`. */
  recentEmojis: readonly string[]
  /** The year of the annual report whose announcement the user has closed. */
  dismissedReport: string | null
  /** The paths of the pages that very wide windows show as columns beside the current page. */
  pinnedColumns: readonly string[]
}

const DEFAULTS: ClientSettings = {
  textSize: 'normal',
  reducedMotion: false,
  media: 'default',
  expandWarnings: false,
  animate: 'hover',
  singleKeys: true,
  showBoosts: true,
  showReplies: true,
  confirmBoost: false,
  threadsBeside: false,
  composerBeside: false,
  askForAltText: true,
  skinTone: 0,
  recentEmojis: [],
  dismissedReport: null,
  pinnedColumns: [],
}

let settings = DEFAULTS
let key: string | null = null
const listeners = new Set<() => void>()

/** The settings of the current account in this browser. */
export const clientSettings = {
  get: (): ClientSettings => settings,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  /** Changes settings at once and stores them. */
  change(changes: Partial<ClientSettings>): void {
    set({ ...settings, ...changes })
    if (key !== null) void writeValue('settings', key, settings).catch(() => undefined)
  },
}

/** Returns the settings, and renders again when they change. */
export function useClientSettings(): ClientSettings {
  return useSyncExternalStore(clientSettings.subscribe, clientSettings.get)
}

/**
 * Loads the settings of an account. If there are none in this browser, it starts with those that `loadInitial` returns,
 * the preferences of the account on the server.
 */
export async function openSettings(
  accountId: string,
  loadInitial: () => Promise<Partial<ClientSettings>>,
): Promise<void> {
  key = `client-${accountId}`
  const stored = await readValue<Partial<ClientSettings>>('settings', key).catch(() => undefined)
  if (stored) return set({ ...DEFAULTS, ...stored })
  const initial = await loadInitial().catch(() => null)
  if (initial) clientSettings.change(initial)
}

/** Returns whether media are covered at first. */
export function coversMedia(isSensitive: boolean): boolean {
  return { show_all: false, hide_all: true, default: isSensitive }[settings.media]
}

/** Returns whether animated pictures may move while the pointer is over them. */
export function animatesOnHover(): boolean {
  const { animate, reducedMotion } = settings
  return animate === 'hover' && !reducedMotion && !matchMedia('(prefers-reduced-motion: reduce)').matches
}

function set(next: ClientSettings): void {
  settings = next
  const { dataset } = document.documentElement
  dataset['textSize'] = next.textSize
  dataset['motion'] = next.reducedMotion ? 'reduced' : 'full'
  for (const listener of listeners) listener()
}

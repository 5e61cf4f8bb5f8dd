import { readTexts } from '../shared/form/read-filters.ts'

/** The filters of the list of custom emojis, as they stand in the URL. */
export interface EmojiFilters {
  /** Without it, the emojis of this server. */
  origin?: 'remote'
  state?: 'enabled' | 'disabled'
  shortcode?: string
  category?: string
  byDomain?: string
}

export const EMOJI_STATES = ['enabled', 'disabled'] as const

/** Reads the filters of a URL. Unknown values count as missing. */
export function readEmojiFilters(search: Record<string, unknown>): EmojiFilters {
  const state = EMOJI_STATES.find((name) => name === search.state)
  const isRemote = search.origin === 'remote'
  return {
    ...(isRemote && { origin: 'remote' }),
    ...(state && { state }),
    ...readTexts(search, isRemote ? ['shortcode', 'byDomain'] : ['shortcode', 'category']),
  }
}

/** Returns the parameters of the API for filters. */
export function parametersOf({ origin, state, ...filters }: EmojiFilters): object {
  return { ...filters, origin: origin ?? 'local', ...(state && { disabled: state === 'disabled' }) }
}

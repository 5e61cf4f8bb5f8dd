import { fetchCard } from '../domain/cards/fetch.ts'
import { renewCarriers, showCard } from '../domain/cards/show.ts'
import { processMedia } from '../domain/media/process.ts'
import { removeFiles } from '../domain/media/remove.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from uploads, and from links whose pages become preview cards. */
export const mediaEffects = {
  'media.uploaded': { processMedia },
  'media.removed': { removeFiles },
  'link.due': { fetchCard },
  'link.settled': { showCard },
  'card.changed': { renewCarriers },
} satisfies EffectsOf<'card' | 'link' | 'media'>

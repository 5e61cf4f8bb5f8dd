import { fetchCard } from '../domain/cards/fetch-card.ts'
import { updateStatusesWithCard, updateStatusCards } from '../domain/cards/show-card.ts'
import { purgeMediaCache } from '../domain/media/remote-cache/purge-cache.ts'
import { processMedia } from '../domain/media/uploads/process-media.ts'
import { removeFiles } from '../domain/media/remove-files.ts'
import type { EffectsOf } from './effect-table.ts'

/** The effects of uploads, and of links in statuses, whose pages become preview cards. */
export const mediaEffects = {
  'media.uploaded': { processMedia },
  'media.removed': { removeFiles },
  'media.purge_due': { purgeMediaCache },
  'link.fetch_due': { fetchCard },
  'link.fetched': { updateStatusCards },
  'card.updated': { updateStatusesWithCard },
} satisfies EffectsOf<'card' | 'link' | 'media'>

import { rebuildFeeds } from '../domain/timelines/feeds/rebuild-feeds.ts'
import {
  removeFromList,
  removeTagFromFeed,
  mergeIntoList,
  applyListExclusivity,
} from '../domain/timelines/feeds/merge-into-feeds.ts'
import { deliverFeaturedTag, deliverUnfeaturedTag } from '../federation/outbox/deliver-featured-tags.ts'
import type { EffectsOf } from './effect-table.ts'

/**
 * The effects of changes of lists and of hashtags that a user follows or features, and the return of an absent user.
 */
export const feedEffects = {
  'list.members_added': { mergeIntoList },
  'list.members_removed': { removeFromList },
  'list.exclusivity_changed': { applyListExclusivity },
  'tag.unfollowed': { removeTagFromFeed },
  'tag.featured': { deliverFeaturedTag },
  'tag.unfeatured': { deliverUnfeaturedTag },
  'feeds.rebuild_requested': { rebuildFeeds },
} satisfies EffectsOf<'feeds' | 'list' | 'tag'>

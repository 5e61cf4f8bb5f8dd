import { remakeFeeds } from '../domain/feeds/keep.ts'
import { leaveList, leaveTag, mergeIntoList, moveMembers } from '../domain/feeds/merge.ts'
import { deliverFeaturedTag, deliverUnfeaturedTag } from '../federation/outbox/featured-tags.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from changes of lists and of hashtags that a user follows or features, and the return of an absent user. */
export const feedEffects = {
  'list.members_added': { mergeIntoList },
  'list.members_removed': { leaveList },
  'list.exclusivity_changed': { moveMembers },
  'tag.unfollowed': { leaveTag },
  'tag.featured': { deliverFeaturedTag },
  'tag.unfeatured': { deliverUnfeaturedTag },
  'feeds.asked': { remakeFeeds },
} satisfies EffectsOf<'feeds' | 'list' | 'tag'>

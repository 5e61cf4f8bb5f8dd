import { purgeUnallowedDomain } from '../domain/account-deletion/purge-unallowed-domain.ts'
import {
  leaveCollectionsOfDomain,
  leaveCollectionsOfDomains,
} from '../domain/collections/leave-collections-of-domain.ts'
import { removeDomainFromFeeds, removeDomainsFromFeeds } from '../domain/timelines/feeds/merge-into-feeds.ts'
import { removeSeveredFromFeeds } from '../domain/timelines/feeds/remove-severed-from-feeds.ts'
import { evictRejectedMedia } from '../domain/media/remote-cache/evict-files.ts'
import { applyDomainBlockImport } from '../domain/moderation/domain-blocks/import/apply-domain-block-import.ts'
import { applyDomainBlocks } from '../domain/moderation/domain-blocks/apply-domain-blocks.ts'
import { notifyFollowRequest } from '../domain/notifications/notify/notify-follow-request.ts'
import { notifySeveredRelationships } from '../domain/relationships/severances/record-severances.ts'
import { severUserDomainBlock, severUserDomainBlocks } from '../domain/relationships/domain-blocks/block-domain.ts'
import { restoreFollowsOfDomain } from '../domain/relationships/severances/restore-severed-follows.ts'
import { severSuspendedDomain } from '../domain/relationships/domain-blocks/sever-suspended-domain.ts'
import { recountReplies } from '../domain/statuses/counters/recount-replies.ts'
import { deliverAccept, deliverFollow, deliverReject } from '../federation/outbox/deliver-relationships.ts'
import { deliverFollows } from '../federation/outbox/deliver-follows.ts'
import { mergeIntoFeeds } from './batched-feed-effects.ts'
import { yielding } from './effect-table.ts'
import type { EffectsOf } from './effect-table.ts'

/** The effects of follow requests and from blocks of whole domains, by a user or by the staff. */
export const relationshipEffects = {
  'follow.requested': { notifyFollowRequest, deliverFollow },
  'follow.many_requested': { deliverFollows },
  'follow.many_severed': { removeSeveredFromFeeds },
  'follow.accepted': { deliverAccept },
  'follow.rejected': { deliverReject },
  'follow.migrated': { mergeIntoFeeds },
  'user_domain_block.created': {
    severUserDomainBlock,
    removeDomainFromFeeds,
    leaveCollectionsOfDomain,
    recountReplies,
  },
  'user_domain_block.many_created': {
    severUserDomainBlocks,
    removeDomainsFromFeeds,
    leaveCollectionsOfDomains,
    recountReplies,
  },
  'user_domain_block.deleted': { recountReplies },
  'user_domain_block.many_deleted': { recountReplies },
  'domain_allow.removed': { purgeUnallowedDomain },
  'domain_allow.purge_due': { purgeUnallowedDomain },
  'domain_block.updated': { applyDomainBlocks, evictRejectedMedia, severSuspendedDomain },
  'domain_block.removed': { applyDomainBlocks },
  'domain_block.accounts_due': { applyDomainBlocks },
  'domain_block.applied': { restoreFollowsOfDomain },
  'domain_block_import.confirmed': { applyDomainBlockImport: yielding(applyDomainBlockImport) },
  'relationships.severed': { notifySeveredRelationships },
} satisfies EffectsOf<
  'domain_allow' | 'domain_block' | 'domain_block_import' | 'follow' | 'user_domain_block' | 'relationships'
>

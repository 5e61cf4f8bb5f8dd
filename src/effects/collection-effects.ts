import { notifyCollectionUpdated, notifyFeatured } from '../domain/notifications/notify-featured.ts'
import {
  deliverCollection,
  deliverCollectionDelete,
  deliverCollectionUpdate,
  deliverFeatureAccept,
  deliverFeatured,
  deliverFeatureReject,
  deliverFeatureRequest,
  deliverUnfeatured,
} from '../federation/outbox/collections.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from collections of accounts, and from requests to feature an account in one. */
export const collectionEffects = {
  'collection.created': { deliverCollection },
  'collection.updated': { notifyCollectionUpdated, deliverCollectionUpdate },
  'collection.deleted': { deliverCollectionDelete },
  'collection.item_requested': { deliverFeatureRequest },
  'collection.item_accepted': { notifyFeatured, deliverFeatured },
  'collection.item_ended': { deliverUnfeatured },
  'feature.authorised': { deliverFeatureAccept },
  'feature.rejected': { deliverFeatureReject },
} satisfies EffectsOf<'collection' | 'feature'>

import { notifyCollectionUpdate, notifyAddedToCollection } from '../domain/notifications/notify/notify-collection.ts'
import {
  deliverCollection,
  deliverCollectionDelete,
  deliverCollectionUpdate,
  deliverFeatureAccept,
  deliverFeatured,
  deliverFeatureReject,
  deliverFeatureRequest,
  deliverUnfeatured,
} from '../federation/outbox/deliver-collections.ts'
import type { EffectsOf } from './effect-table.ts'

/** The effects of collections of accounts, and of requests to feature an account in one. */
export const collectionEffects = {
  'collection.created': { deliverCollection },
  'collection.updated': { notifyCollectionUpdate, deliverCollectionUpdate },
  'collection.deleted': { deliverCollectionDelete },
  'collection.item_requested': { deliverFeatureRequest },
  'collection.item_accepted': { notifyAddedToCollection, deliverFeatured },
  'collection.item_removed': { deliverUnfeatured },
  'collection.feature_request_accepted': { deliverFeatureAccept },
  'collection.feature_request_rejected': { deliverFeatureReject },
} satisfies EffectsOf<'collection'>

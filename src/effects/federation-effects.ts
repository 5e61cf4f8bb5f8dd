import { deliverToHost } from '../federation/delivery/deliver-to-host.ts'
import { processActivity } from '../federation/inbox/receive/process-activity.ts'
import { reconcileFollowers } from '../federation/followers/reconcile-followers.ts'
import { deliverRelayFollow, deliverRelayUndo } from '../federation/outbox/deliver-relays.ts'
import { refreshInboxOwners } from '../federation/remote/actors/refresh-inbox-owners.ts'
import type { EffectsOf } from './effect-table.ts'

/**
 * The effects of an activity in the inbox, of relays, of differing followers, of deliveries to a host that are
 * due, and of missing inboxes.
 */
export const federationEffects = {
  'activity.received': { processActivity },
  'deliveries.due': { deliverToHost },
  'deliveries.inboxes_missing': { refreshInboxOwners },
  'relay.added': { deliverRelayFollow },
  'relay.removed': { deliverRelayUndo },
  'followers.differ': { reconcileFollowers },
} satisfies EffectsOf<'activity' | 'deliveries' | 'followers' | 'relay'>

import { deliverToHost } from '../federation/courier.ts'
import { handleActivity } from '../federation/inbox/handle.ts'
import type { EffectsOf } from './effect-table.ts'

/** What follows from an activity in the inbox, and from deliveries to a host that are due. */
export const federationEffects = {
  'activity.received': { handleActivity },
  'deliveries.due': { deliverToHost },
} satisfies EffectsOf<'activity' | 'deliveries'>

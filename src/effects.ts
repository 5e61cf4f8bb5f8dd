import type { EventName } from './domain/events.ts'
import { accountEffects } from './effects/account-effects.ts'
import { clockEffects } from './effects/clock-effects.ts'
import { collectionEffects } from './effects/collection-effects.ts'
import { federationEffects } from './effects/federation-effects.ts'
import { feedEffects } from './effects/feed-effects.ts'
import { instanceEffects } from './effects/instance-effects.ts'
import { mediaEffects } from './effects/media-effects.ts'
import { notificationEffects } from './effects/notification-effects.ts'
import { pollAndQuoteEffects } from './effects/poll-and-quote-effects.ts'
import { relationshipEffects } from './effects/relationship-effects.ts'
import { statusEffects } from './effects/status-effects.ts'
import { transferEffects } from './effects/transfer-effects.ts'
import { webhookEffects } from './effects/webhook-effects.ts'

/**
 * The effects table: for each event (`src/domain/events.ts`), the functions that run after it as jobs. The name of an
 * event begins with its area, and each area has its own table in `src/effects/`.
 */
export const effects = {
  ...accountEffects, // account, filters, tokens
  ...relationshipEffects, // domain_allow, domain_block, domain_block_import, follow, relationships, user_domain_block
  ...feedEffects, // feeds, list, tag
  ...statusEffects, // conversations, replies, status
  ...pollAndQuoteEffects, // poll, quote
  ...mediaEffects, // card, link, media
  ...collectionEffects, // collection
  ...notificationEffects, // mail, notification, notification_request, push
  ...instanceEffects, // announcement, annual_report, appeal, registrations, report, retention, terms
  ...federationEffects, // activity, deliveries, followers, relay
  ...transferEffects, // account_archive, account_import
  ...webhookEffects, // webhook_delivery
  ...clockEffects, // clock
} satisfies Record<EventName, object>

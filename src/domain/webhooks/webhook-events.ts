import type { Permission } from '../access/permissions.ts'

/** The events of webhooks, with the permissions that their payloads require (Mastodon: Webhook). */
const PERMISSION_OF = {
  'account.approved': 'manageUsers',
  'account.created': 'manageUsers',
  'account.updated': 'manageUsers',
  'report.created': 'manageReports',
  'report.updated': 'manageReports',
  'status.created': 'devops',
  'status.updated': 'devops',
} as const satisfies Record<string, Permission>

export type WebhookEvent = keyof typeof PERMISSION_OF

export const WEBHOOK_EVENTS = Object.keys(PERMISSION_OF) as WebhookEvent[]

/** Returns the permission that a member of the staff needs to receive an event; null for a test event. */
export function permissionForEvent(event: WebhookEvent | typeof TEST_EVENT): Permission | null {
  return event === TEST_EVENT ? null : PERMISSION_OF[event]
}

/** The event of a test delivery, to which webhooks cannot subscribe. */
export const TEST_EVENT = 'test'

/** Returns the encryption purpose of a webhook's secret. */
export function webhookSecretPurpose(webhookId: string): string {
  return `secret of webhook ${webhookId}`
}

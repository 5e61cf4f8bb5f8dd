interface TypeDefinition {
  /**
   * The entity that the notification refers to, such as the status that was created, favourited or reblogged, or the
   * collection that features the recipient.
   */
  target: 'status' | 'collection' | 'report' | 'severance' | 'warning' | 'annual report' | 'nothing'
  /** Whether several notifications can be shown as a group, such as the favourites of one status. */
  grouped: boolean
  /** Whether the recipient's notification policy can filter it. */
  filterable: boolean
}

/** All notification types, which are also those of the entity. ARCHITECTURE lists what a new type needs. */
export const NOTIFICATION_TYPES = {
  mention: { target: 'status', grouped: false, filterable: true },
  /** An account that the recipient follows with `notify` has posted. */
  status: { target: 'status', grouped: false, filterable: false },
  /** A status that the recipient reblogged has been edited. */
  update: { target: 'status', grouped: false, filterable: false },
  /** The status is the original, not the reblog. */
  reblog: { target: 'status', grouped: true, filterable: true },
  favourite: { target: 'status', grouped: true, filterable: true },
  /** A poll that the recipient voted in or created has ended. */
  poll: { target: 'status', grouped: false, filterable: false },
  /** The status is the quoting one. */
  quote: { target: 'status', grouped: false, filterable: true },
  /** A status that the recipient quoted has been edited; the status is the recipient's own, quoting one. */
  quoted_update: { target: 'status', grouped: false, filterable: false },
  follow: { target: 'nothing', grouped: true, filterable: true },
  follow_request: { target: 'nothing', grouped: false, filterable: true },
  added_to_collection: { target: 'collection', grouped: false, filterable: true },
  /** A collection that features the recipient has been updated. */
  collection_update: { target: 'collection', grouped: false, filterable: false },
  /** To staff: a new user is confirmed and approved. */
  'admin.sign_up': { target: 'nothing', grouped: true, filterable: false },
  /** To staff: a new report. */
  'admin.report': { target: 'report', grouped: false, filterable: false },
  /** A block or suspension has ended follows. The sender is the recipient. */
  severed_relationships: { target: 'severance', grouped: false, filterable: false },
  /**
   * Moderators have acted on the recipient's account or statuses. The sender is the recipient; the moderator is not
   * named.
   */
  moderation_warning: { target: 'warning', grouped: false, filterable: false },
  /** The annual report that the recipient requested is available. */
  annual_report: { target: 'annual report', grouped: false, filterable: false },
} as const satisfies Record<string, TypeDefinition>

export type NotificationType = keyof typeof NOTIFICATION_TYPES

/** Returns the types that have the property. */
export function typesWith(property: 'grouped' | 'filterable'): NotificationType[] {
  return (Object.keys(NOTIFICATION_TYPES) as NotificationType[]).filter((kind) => NOTIFICATION_TYPES[kind][property])
}

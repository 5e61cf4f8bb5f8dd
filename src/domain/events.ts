/**
 * Everything that can happen, in the past tense, with the ids that tell where to look.
 * Each event has its row in the switchboard (`src/effects.ts`); one without a row does not compile.
 */
export interface Events {
  'account.signed_up': { accountId: string }
  'account.confirmation_asked': { accountId: string }
  /** Somebody else wanted to use this account's e-mail address. */
  'account.address_tried': { accountId: string }
  'account.confirmed': { accountId: string }
  /** `mediaKeys`: files that it no longer shows. */
  'account.updated': { accountId: string; mediaKeys: string[] }
  'account.unlocked': { accountId: string }
  'account.followed': { accountId: string; targetAccountId: string }
  'account.unfollowed': { accountId: string; targetAccountId: string }
  'account.blocked': { accountId: string; targetAccountId: string }
  'account.muted': { accountId: string; targetAccountId: string }
  'account.unmuted': { accountId: string; targetAccountId: string }
  'follow.requested': { accountId: string; targetAccountId: string }
  'status.posted': { statusId: string }
  'status.deleted': DeletedStatus
  'status.favourited': { accountId: string; statusId: string }
  'status.boosted': { accountId: string; statusId: string; boostId: string }
  'status.unboosted': { accountId: string; statusId: string; boostId: string }
  'notification.created': { notificationId: string }
  /** An activity of another server was accepted and waits to be understood. */
  'activity.received': { activityId: string }
  /** Something waits to be sent to a host. */
  'deliveries.due': { domain: string }
  'mail.written': { mailId: string }
  'tokens.revoked': { tokenIds: string[] }
  'clock.minutely': Record<string, never>
  'clock.hourly': Record<string, never>
}

/** What must be known of a status after it is gone. */
export interface DeletedStatus {
  statusId: string
  accountId: string
  visibility: string
  mentionedIds: string[]
  boosts: { id: string; accountId: string }[]
  mediaKeys: string[]
}

export type EventName = keyof Events

/**
 * Records what happened; the jobs that follow are written in the same transaction. What becomes due only later has
 * `at`, and its jobs wait until then.
 */
export type Emit = <Name extends EventName>(name: Name, payload: Events[Name], at?: Date) => void

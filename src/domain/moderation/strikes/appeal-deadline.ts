/** For so long after a strike its user can appeal (Mastodon: Appeal::MAX_STRIKE_AGE). */
export const APPEAL_DAYS = 20

export type AppealState = 'pending' | 'approved' | 'rejected'

/** Returns until when the user can appeal against a strike. */
export function appealDeadlineOf({ createdAt }: { createdAt: Date }): Date {
  return new Date(createdAt.getTime() + APPEAL_DAYS * 86_400_000)
}

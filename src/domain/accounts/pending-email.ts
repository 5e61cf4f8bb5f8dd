/** A requested change of the e-mail address that was not confirmed after this many days has expired. */
export const EMAIL_CHANGE_DAYS = 7

interface EmailColumns {
  unconfirmed_email: string | null
  email_change_requested_at: Date | null
  confirmation_sent_at: Date | null
}

/** Returns the address that the user asked for and may still confirm; null when there is none, or the request has expired. */
export function pendingEmail(user: EmailColumns, { now }: { now: Date }): string | null {
  const requestedAt = user.email_change_requested_at ?? user.confirmation_sent_at
  return requestedAt !== null && requestedAt < expiryOfEmailChanges(now) ? null : user.unconfirmed_email
}

/** Returns the moment before which a change must have been requested to have expired at `now`. */
export function expiryOfEmailChanges(now: Date): Date {
  return new Date(now.getTime() - EMAIL_CHANGE_DAYS * 86_400_000)
}

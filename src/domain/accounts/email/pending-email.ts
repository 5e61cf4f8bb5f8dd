/** Days after which a requested change of an e-mail address expires if it was not confirmed. */
export const EMAIL_CHANGE_DAYS = 7

interface EmailColumns {
  unconfirmed_email: string | null
  email_change_requested_at: Date | null
  confirmation_sent_at: Date | null
}

/** Returns the requested address that the user may still confirm; null if there is none, or the request has expired. */
export function pendingEmail(user: EmailColumns, { now }: { now: Date }): string | null {
  const requestedAt = user.email_change_requested_at ?? user.confirmation_sent_at
  return requestedAt !== null && requestedAt < emailChangeCutoff(now) ? null : user.unconfirmed_email
}

/** Returns the time before which a change must have been requested to be expired at `now`. */
export function emailChangeCutoff(now: Date): Date {
  return new Date(now.getTime() - EMAIL_CHANGE_DAYS * 86_400_000)
}

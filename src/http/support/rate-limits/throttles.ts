import type { Throttle } from '../../../platform/rate-limit/rate-limiter.ts'

const MINUTES = 60
const HOURS = 3_600

/** By what a throttle counts requests. */
export type ThrottleKey = 'account' | 'token' | 'ip'

function throttle(name: string, limit: number, windowSeconds: number): Throttle {
  return { name, limit, windowSeconds }
}

/** A throttle that protects against guessing and flooding: requests are refused while they cannot be counted. */
function failClosedThrottle(name: string, limit: number, windowSeconds: number): Throttle {
  return { name, limit, windowSeconds, failsClosed: true }
}

/**
 * All throttles of the API and the pages, with the limits of Mastodon where it has them. Those of received activities
 * are in `src/federation/throttles.ts`.
 */
export const THROTTLES = {
  apiAccount: throttle('api', 1_500, 5 * MINUTES),
  apiToken: throttle('api-token', 300, 5 * MINUTES),
  apiAnonymous: throttle('api-ip', 300, 5 * MINUTES),
  paging: throttle('paging', 300, 15 * MINUTES),
  media: throttle('media', 30, 30 * MINUTES),
  remoteFiles: throttle('remote-files', 1_000, 10 * MINUTES),
  deletes: throttle('deletes', 30, 30 * MINUTES),
  apps: throttle('apps', 5, 10 * MINUTES),
  signUpApi: failClosedThrottle('sign-up-api', 5, 30 * MINUTES),
  signUpForm: failClosedThrottle('sign-up', 25, 5 * MINUTES),
  signIn: failClosedThrottle('sign-in', 25, 5 * MINUTES),
  /** The steps of log-ins at a provider, which checks the passwords itself: many users of a school share an address. */
  externalLogin: failClosedThrottle('external-login', 300, 5 * MINUTES),
  signInAccount: failClosedThrottle('sign-in-account', 25, 1 * HOURS),
  secondFactor: failClosedThrottle('second-factor', 5, 5 * MINUTES),
  confirmation: failClosedThrottle('confirmation', 25, 5 * MINUTES),
  confirmationMail: failClosedThrottle('confirmation-mail', 5, 30 * MINUTES),
  /** Mastodon: PUT /auth/setup, which corrects the e-mail address after the sign-up. */
  emailCorrection: failClosedThrottle('email-correction', 5, 10 * MINUTES),
  /** Links of mails: following them, and setting a new password. */
  mailLinks: failClosedThrottle('mail-links', 25, 5 * MINUTES),
  passwordReset: failClosedThrottle('password-reset', 25, 5 * MINUTES),
  passwordMail: failClosedThrottle('password-mail', 5, 30 * MINUTES),
  passwordChange: failClosedThrottle('password-change', 10, 10 * MINUTES),
  token: failClosedThrottle('oauth-token', 300, 5 * MINUTES),
  setup: failClosedThrottle('setup', 25, 5 * MINUTES),
  interactions: throttle('interactions', 60, 5 * MINUTES),
  statuses: throttle('statuses', 300, 3 * HOURS),
  follows: throttle('follows', 400, 24 * HOURS),
  reports: throttle('reports', 400, 24 * HOURS),
} as const

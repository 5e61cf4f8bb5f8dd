import type { Throttle } from '../../platform/rate-limit.ts'

const MINUTES = 60
const HOURS = 3_600

/** Whom a throttle counts. */
export type RateKey = 'account' | 'token' | 'ip'

function throttle(name: string, limit: number, windowSeconds: number): Throttle {
  return { name, limit, windowSeconds }
}

/** One of what strangers may try only so often. */
function guard(name: string, limit: number, windowSeconds: number): Throttle {
  return { name, limit, windowSeconds, guards: true }
}

/** Every throttle of the server, with Mastodon's figures. */
export const THROTTLES = {
  apiAccount: throttle('api', 1_500, 5 * MINUTES),
  apiToken: throttle('api-token', 300, 5 * MINUTES),
  apiAnonymous: throttle('api-ip', 300, 5 * MINUTES),
  paging: throttle('paging', 300, 15 * MINUTES),
  media: throttle('media', 30, 30 * MINUTES),
  remoteFiles: throttle('remote-files', 1_000, 10 * MINUTES),
  deletes: throttle('deletes', 30, 30 * MINUTES),
  apps: throttle('apps', 5, 10 * MINUTES),
  signUpApi: guard('sign-up-api', 5, 30 * MINUTES),
  signUpForm: guard('sign-up', 25, 5 * MINUTES),
  signIn: guard('sign-in', 25, 5 * MINUTES),
  signInAccount: guard('sign-in-account', 25, 1 * HOURS),
  confirmation: guard('confirmation', 25, 5 * MINUTES),
  confirmationMail: guard('confirmation-mail', 5, 30 * MINUTES),
  passwordReset: guard('password-reset', 25, 5 * MINUTES),
  passwordMail: guard('password-mail', 5, 30 * MINUTES),
  passwordChange: guard('password-change', 10, 10 * MINUTES),
  token: guard('oauth-token', 300, 5 * MINUTES),
  setup: guard('setup', 25, 5 * MINUTES),
  interactions: throttle('interactions', 60, 5 * MINUTES),
  statuses: throttle('statuses', 300, 3 * HOURS),
  follows: throttle('follows', 400, 24 * HOURS),
  reports: throttle('reports', 400, 24 * HOURS),
} as const

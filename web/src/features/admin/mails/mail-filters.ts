import type { AdminMail } from '../../../lib/api/admin-entities.ts'

export const MAIL_STATES = ['failed', 'stored', 'queued'] as const satisfies AdminMail['state'][]

/** The filter of the list of mails, as it stands in the URL. */
export interface MailFilters {
  state?: (typeof MAIL_STATES)[number]
}

/** Reads the filter of a URL. An unknown value counts as missing. */
export function readMailFilters(search: Record<string, unknown>): MailFilters {
  const state = MAIL_STATES.find((name) => name === search.state)
  return state ? { state } : {}
}

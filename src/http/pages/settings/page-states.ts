import type { Viewer } from '../../../domain/auth/viewer.ts'
import type { Frame } from '../layout/layout.ts'
import { paths } from '../paths.ts'

type AccountState = Viewer['accountState']

const USABLE: readonly AccountState[] = ['usable']
const OWN_ACCOUNT: readonly AccountState[] = [...USABLE, 'moved']
/** Users whose accounts are disabled or not approved yet can change their credentials and delete the account. */
const CREDENTIALS: readonly AccountState[] = [...OWN_ACCOUNT, 'pending', 'disabled']
/** A suspended user can change nothing, since the staff may still need the account as it is. */
const OWN_DATA: readonly AccountState[] = [...CREDENTIALS, 'suspended']

/**
 * The pages of a user's own account with the account states that they and their forms accept. No page accepts users who
 * have not confirmed the e-mail address, and those who need a second factor can only set one up and read their strikes.
 */
const PAGE_STATES = {
  [paths.settings]: CREDENTIALS,
  [paths.email]: CREDENTIALS,
  [paths.externalLogins]: CREDENTIALS,
  [paths.twoFactor]: [...CREDENTIALS, 'without_second_factor'],
  [paths.sessions]: CREDENTIALS,
  [paths.authorizedApplications]: CREDENTIALS,
  [paths.deletion]: CREDENTIALS,
  [paths.loginActivities]: OWN_DATA,
  [paths.export]: OWN_DATA,
  [paths.strikes]: [...OWN_ACCOUNT, 'disabled', 'suspended', 'without_second_factor'],
  [paths.emailNotifications]: OWN_ACCOUNT,
  [paths.preferences]: OWN_ACCOUNT,
  [paths.statusesCleanup]: OWN_ACCOUNT,
  [paths.filters]: OWN_ACCOUNT,
  [paths.ownApplications]: OWN_ACCOUNT,
  [paths.aliases]: OWN_ACCOUNT,
  [paths.migration]: OWN_ACCOUNT,
  [paths.severedRelationships]: OWN_ACCOUNT,
  // An account that has moved follows, invites and publishes nothing.
  [paths.imports]: USABLE,
  [paths.invites]: USABLE,
  [paths.share]: USABLE,
  [paths.interaction]: USABLE,
} as const satisfies Readonly<Record<string, readonly AccountState[]>>

export type OwnPage = keyof typeof PAGE_STATES

/** Returns whether a page accepts a user with this account state. */
export function acceptsState(page: OwnPage, state: AccountState): boolean {
  const states: readonly AccountState[] = PAGE_STATES[page]
  return states.includes(state)
}

/** Returns whether the user who sees a page may open another one, so that pages link only to what works. */
export function mayOpen({ accountState }: Frame, page: OwnPage): boolean {
  return accountState !== undefined && acceptsState(page, accountState)
}

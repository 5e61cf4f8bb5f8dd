/** The paths of the server-rendered pages and of the actions of their forms. */
export const paths = {
  landing: '/',
  account: '/account',
  signIn: '/auth/sign_in',
  /** The page that asks for the second factor of a log-in. */
  secondFactor: '/auth/sign_in/second_factor',
  /** Logs in by a passkey alone. */
  passkeySignIn: '/auth/sign_in/passkey',
  signUp: '/auth/sign_up',
  register: '/auth',
  /** The sign-up page for invited users, followed by the code. */
  invite: '/invite/',
  signOut: '/auth/sign_out',
  /** External log-ins, followed by the name of the provider. */
  externalLogin: '/auth/auth/',
  /** The page at the first log-in with a provider. */
  chooseAccount: '/auth/external',
  linkAccount: '/auth/external/link',
  confirmation: '/auth/confirmation',
  captcha: '/auth/captcha_confirmation',
  /** The account settings. */
  settings: '/auth/edit',
  language: '/settings/language',
  email: '/settings/email',
  externalLogins: '/settings/external_logins',
  unlinkExternalLogin: '/settings/external_logins/unlink',
  emailNotifications: '/settings/email-notifications',
  /** The target of the unsubscribe link in e-mail notifications. */
  unsubscribe: '/unsubscribe',
  aliases: '/settings/aliases',
  removeAlias: '/settings/aliases/remove',
  migration: '/settings/migration',
  cancelMove: '/settings/migration/cancel',
  invites: '/invites',
  expireInvite: '/invites/expire',
  deletion: '/settings/delete',
  strikes: '/settings/strikes',
  /** The browsers in which the user is logged in. */
  sessions: '/settings/sessions',
  endOtherSessions: '/settings/sessions/others',
  loginActivities: '/settings/login_activities',
  ownApplications: '/settings/applications',
  newOwnApplication: '/settings/applications/new',
  preferences: '/settings/preferences',
  /** The automated deletion of old posts. */
  statusesCleanup: '/settings/statuses-cleanup',
  filters: '/settings/filters',
  newFilter: '/settings/filters/new',
  authorizedApplications: '/oauth/authorized_applications',
  export: '/settings/export',
  /** The folder of the exported files. */
  exports: '/settings/exports',
  archives: '/settings/exports/archives',
  imports: '/settings/imports',
  /** The follows that the user lost by blocks and suspensions. */
  severedRelationships: '/severed_relationships',
  /** The page on which users prove their identity again before a dangerous change. */
  confirmIdentity: '/settings/confirm',
  twoFactor: '/settings/two_factor_authentication_methods',
  disableTwoFactor: '/settings/two_factor_authentication_methods/disable',
  recoveryCodes: '/settings/two_factor_authentication/recovery_codes',
  /** The set-up of an authenticator app. */
  authenticatorApp: '/settings/otp_authentication',
  confirmAuthenticatorApp: '/settings/two_factor_authentication/confirmation',
  removeAuthenticatorApp: '/settings/otp_authentication/remove',
  passkeys: '/settings/security_keys',
  removePasskey: '/settings/security_keys/remove',
  importArchive: '/settings/imports/archive',
  /** The form to request a link that resets a forgotten password. */
  forgottenPassword: '/auth/password/new',
  requestPasswordReset: '/auth/password',
  newPassword: '/auth/password/edit',
  authorize: '/oauth/authorize',
  setup: '/setup',
  /** The home timeline in the web client. */
  home: '/home',
  /** The first steps of a new user in the web client, and those of the owner of a new server. */
  start: '/start',
  mail: '/dev/mail',
  about: '/about',
  privacy: '/privacy-policy',
  terms: '/terms-of-service',
  /** The page for users who come from other servers to follow an account or to interact with a post. */
  interaction: '/authorize_interaction',
  /** The target of "share" buttons. */
  share: '/share',
  /** The handler that the manifest registers for links with the scheme `web+mastodon`. */
  intent: '/intent',
  manifest: '/manifest',
  /** The list of third-party clients, and the folder in which they are served. */
  clients: '/clients',
} as const

/** Returns the path of the log-in page, which redirects to `next`, a path of this server, after the log-in. */
export function signInPath(next: string): string {
  return `${paths.signIn}?${new URLSearchParams({ next }).toString()}`
}

/** Returns the path of the page that asks for the second factor, which then redirects to `next`. */
export function secondFactorPath(next: string | null): string {
  return next === null ? paths.secondFactor : `${paths.secondFactor}?${new URLSearchParams({ next }).toString()}`
}

/** Returns the path of the page on which users prove their identity again, which then redirects to `next`. */
export function confirmIdentityPath(next: string): string {
  return `${paths.confirmIdentity}?${new URLSearchParams({ next }).toString()}`
}

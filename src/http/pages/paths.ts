/** Where the server-rendered pages live and where their forms post to. */
export const paths = {
  landing: '/',
  account: '/account',
  signIn: '/auth/sign_in',
  signUp: '/auth/sign_up',
  register: '/auth',
  signOut: '/auth/sign_out',
  confirmation: '/auth/confirmation',
  /** Where one's own account is changed. */
  settings: '/auth/edit',
  language: '/settings/language',
  email: '/settings/email',
  emailNotifications: '/settings/letters',
  /** Where a mail leads to unsubscribe from mails of its kind. */
  unsubscribe: '/unsubscribe',
  aliases: '/settings/aliases',
  removeAlias: '/settings/aliases/remove',
  migration: '/settings/migration',
  cancelMove: '/settings/migration/cancel',
  deletion: '/settings/delete',
  /** Where a forgotten password is replaced. */
  forgotten: '/auth/password/new',
  askForPassword: '/auth/password',
  newPassword: '/auth/password/edit',
  authorize: '/oauth/authorize',
  setup: '/setup',
  mail: '/dev/mail',
  about: '/about',
  privacy: '/privacy-policy',
  terms: '/terms-of-service',
  /** Where people come from other servers, to follow somebody or to answer. */
  interaction: '/authorize_interaction',
  /** Where "share" buttons lead. */
  share: '/share',
  /** Where browsers lead from links with the scheme `web+mastodon`. */
  intent: '/intent',
  manifest: '/manifest',
} as const

/** The page to log in on, which goes on to one of our paths afterwards. */
export function signInPath(next: string): string {
  return `${paths.signIn}?${new URLSearchParams({ next }).toString()}`
}

/** What changed of a user's second factors. `disabled`: none remains. */
export type TwoFactorChange =
  | 'totp_enabled'
  | 'totp_removed'
  | 'passkey_added'
  | 'passkey_removed'
  | 'disabled'
  | 'recovery_codes_replaced'
  | 'recovery_code_used'

/** The events of sign-ups, log-ins and the credentials of local users. */
export interface UserEvents {
  'account.signed_up': { accountId: string }
  /** The provider of an external log-in has a picture of a new user, at this address. */
  'account.picture_offered': { accountId: string; url: string }
  'account.confirmation_requested': { accountId: string }
  /** The e-mail address of this account was requested for another account. */
  'account.taken_email_requested': { accountId: string }
  'account.confirmed': { accountId: string }
  /** The staff approved a sign-up. Its user may not be confirmed yet. */
  'account.approved': { accountId: string }
  /** A user became confirmed and approved about an hour ago. */
  'account.welcome_due': { accountId: string }
  /** A user requested a change of the e-mail address. */
  'account.email_change_requested': { accountId: string; email: string; newEmail: string; at: number }
  /** A user confirmed a new e-mail address, which replaced the former one. */
  'account.email_changed': { accountId: string; formerEmail: string; newEmail: string; at: number }
  /** A password reset was requested for an e-mail address, which may belong to no user. */
  'account.password_reset_requested': { email: string; at: number }
  'account.logged_in_from_new_address': { accountId: string; loginActivityId: string }
  'account.password_changed': { accountId: string; at: number }
  /** The second factors of a user changed, or a recovery code was used. */
  'account.two_factor_changed': { accountId: string; change: TwoFactorChange; at: number }
  /** A user who has an account can log in to it with a provider (`openid_connect`, `saml`, `cas` or `ldap`) from now on. */
  'account.external_login_linked': { accountId: string; provider: string; at: number }
  /** A log-in was refused after the first factor was proved. At most once an hour for each user. */
  'account.second_factor_failed': { accountId: string; firstFactor: 'password' | 'external'; at: number }
}

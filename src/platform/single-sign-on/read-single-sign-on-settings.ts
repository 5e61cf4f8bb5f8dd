import type { EnvironmentReader } from '../config/environment-reader.ts'
import { readUrl } from './provider-settings.ts'
import { readCasSettings } from './read-cas-settings.ts'
import type { CasConfig } from './read-cas-settings.ts'
import { readLdapSettings } from './read-ldap-settings.ts'
import type { LdapConfig } from './read-ldap-settings.ts'
import { readOidcSettings } from './read-oidc-settings.ts'
import type { OidcConfig } from './read-oidc-settings.ts'
import { readSamlSettings } from './read-saml-settings.ts'
import type { SamlConfig } from './read-saml-settings.ts'

/** The providers of external log-ins, and how log-ins depend on them. */
export interface SingleSignOnConfig {
  /** Users log in with external providers only (`OMNIAUTH_ONLY`): there are no passwords and no registrations. */
  readonly only: boolean
  /** A first log-in takes over the account with the same confirmed address, without its password. */
  readonly reattaches: boolean
  /** Where users change the account at their provider. */
  readonly accountSettingsUrl: string | null
  /** Where users get an account at a provider. */
  readonly signUpUrl: string | null
  readonly oidc: OidcConfig | null
  readonly saml: SamlConfig | null
  readonly cas: CasConfig | null
  readonly ldap: LdapConfig | null
}

/** Whether no user can log in: passwords are off, and no provider is enabled. */
export function refusesAllLogins({ only, oidc, saml, cas }: SingleSignOnConfig): boolean {
  return only && oidc === null && saml === null && cas === null
}

/** Reads the settings of external log-ins. `origin`: of this server. */
export function readSingleSignOnSettings(
  reader: EnvironmentReader,
  { origin }: { origin: string },
): SingleSignOnConfig {
  const only = reader.flag('OMNIAUTH_ONLY') ?? false
  const oidc = readOidcSettings(reader, { origin })
  const saml = readSamlSettings(reader, { origin })
  const cas = readCasSettings(reader, { origin })
  const ldap = readLdapSettings(reader)
  if (only && ldap !== null) {
    reader.reportProblem('OMNIAUTH_ONLY', 'cannot be true with LDAP_ENABLED: users of LDAP enter a password')
  }
  // Without effect: with `OMNIAUTH_ONLY` and one provider, one click always suffices.
  reader.flag('ONE_CLICK_SSO_LOGIN')
  return {
    only,
    reattaches: reader.flag('ALLOW_UNSAFE_AUTH_PROVIDER_REATTACH') ?? false,
    accountSettingsUrl: readUrl(reader, 'SSO_ACCOUNT_SETTINGS'),
    signUpUrl: readUrl(reader, 'SSO_ACCOUNT_SIGN_UP'),
    oidc,
    saml,
    cas,
    ldap,
  }
}

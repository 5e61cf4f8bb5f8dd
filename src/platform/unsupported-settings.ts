/**
 * Settings that change what a server does to people or to their data, and that this version does not have yet. An
 * administrator who sets one counts on it, so the server does not start instead of leaving it out silently.
 */
const WHEN_SET = ['CLIENTS_DIR', 'EMAIL_DOMAIN_ALLOWLIST', 'EMAIL_DOMAIN_DENYLIST', 'REPLICA_DATABASE_URL']

/** The same, where `false` says what is so anyway. */
const WHEN_ON = [
  'AUTHORIZED_FETCH',
  'AZURE_ENABLED',
  'CAS_ENABLED',
  'DISALLOW_UNAUTHENTICATED_API_ACCESS',
  'LDAP_ENABLED',
  'LIMITED_FEDERATION_MODE',
  'OIDC_ENABLED',
  'OMNIAUTH_ONLY',
  'PAM_ENABLED',
  'SAML_ENABLED',
  'SWIFT_ENABLED',
]

const OFF = new Set(['', 'false', '0', 'no', 'off'])

/** Those of the settings that an environment has, as names. */
export function findUnsupported(env: NodeJS.ProcessEnv): string[] {
  const isOn = (name: string) => !OFF.has(env[name]?.trim().toLowerCase() ?? '')
  return [...WHEN_SET.filter((name) => env[name]?.trim()), ...WHEN_ON.filter(isOn)].toSorted()
}

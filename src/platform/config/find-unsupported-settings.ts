/**
 * Mastodon's settings that affect users or their data and that this version does not support. An administrator who sets
 * one relies on it, so the server does not start instead of ignoring it.
 */
const UNSUPPORTED_WHEN_SET = ['CLIENTS_DIR', 'REPLICA_DATABASE_URL']

/** Such settings where `false` is what this version does. */
const UNSUPPORTED_WHEN_ENABLED = ['AZURE_ENABLED', 'PAM_ENABLED', 'SWIFT_ENABLED']

const FALSE_VALUES = new Set(['', 'false', '0', 'no', 'off'])

/** Returns the names of the unsupported settings in an environment. */
export function findUnsupportedSettings(env: NodeJS.ProcessEnv): string[] {
  const isOn = (name: string) => !FALSE_VALUES.has(env[name]?.trim().toLowerCase() ?? '')
  return [
    ...UNSUPPORTED_WHEN_SET.filter((name) => env[name]?.trim()),
    ...UNSUPPORTED_WHEN_ENABLED.filter(isOn),
  ].toSorted()
}

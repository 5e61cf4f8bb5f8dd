/**
 * Mastodon's settings that affect users or their data and that this version does not support. An administrator who
 * enables one relies on it, so the server does not start instead of ignoring it. `false` is what this version does.
 */
const UNSUPPORTED = ['AZURE_ENABLED', 'PAM_ENABLED', 'SELF_DESTRUCT', 'SWIFT_ENABLED']

const FALSE_VALUES = new Set(['', 'false', '0', 'no', 'off'])

/** Returns the names of the unsupported settings in an environment. */
export function findUnsupportedSettings(env: NodeJS.ProcessEnv): string[] {
  return UNSUPPORTED.filter((name) => !FALSE_VALUES.has(env[name]?.trim().toLowerCase() ?? ''))
}

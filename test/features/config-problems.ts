import { ConfigError, readConfig } from '../../src/platform/config/config.ts'

/** Returns the problems that `readConfig` reports. */
export function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (err) {
    if (!(err instanceof ConfigError)) throw err
    return err.problems
  }
}

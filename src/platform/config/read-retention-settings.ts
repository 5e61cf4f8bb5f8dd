import type { EnvironmentReader } from './environment-reader.ts'

const DAY_SECONDS = 86_400

/** How long data of log-ins is stored, in seconds. */
export interface RetentionConfig {
  /** IP addresses of users, and log-ins, which are deleted with theirs. */
  readonly ipSeconds: number
  /** Sessions that are not used. */
  readonly sessionSeconds: number
}

/** Reads Mastodon's settings. Unlike in Mastodon, unused sessions end after 30 days by default, not after a year. */
export function readRetentionSettings(reader: EnvironmentReader): RetentionConfig {
  const read = (name: string, defaultDays: number) =>
    reader.integer(name, defaultDays * DAY_SECONDS, 3_600, 999_999_999)
  return { ipSeconds: read('IP_RETENTION_PERIOD', 365), sessionSeconds: read('SESSION_RETENTION_PERIOD', 30) }
}

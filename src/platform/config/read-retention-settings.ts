import type { EnvironmentReader } from './environment-reader.ts'

const DAY_SECONDS = 86_400
const MIN_SECONDS = 3_600
const MAX_SECONDS = 999_999_999

/** How long data of log-ins is stored, in seconds. */
export interface RetentionConfig {
  /** IP addresses of users, and log-ins, which are deleted with theirs. */
  readonly ipSeconds: number
  /** Sessions that are not used. */
  readonly sessionSeconds: number
}

/** Reads Mastodon's settings. Unlike in Mastodon, unused sessions end after 30 days by default, not after a year. */
export function readRetentionSettings(reader: EnvironmentReader): RetentionConfig {
  return {
    ipSeconds: reader.integer('IP_RETENTION_PERIOD', 365 * DAY_SECONDS, MIN_SECONDS, MAX_SECONDS),
    sessionSeconds: reader.integer('SESSION_RETENTION_PERIOD', 30 * DAY_SECONDS, MIN_SECONDS, MAX_SECONDS),
  }
}

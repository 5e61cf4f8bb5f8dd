import type { EnvironmentReader } from './environment-reader.ts'

/** Returns the address of Valkey or Redis (`REDIS_URL`), which may end in the number of a database. */
export function readRedisUrl(reader: EnvironmentReader): string | null {
  const url = reader.text('REDIS_URL')
  const parsed = url !== null && /^(redis|valkey)s?:\/\/[^/]/.test(url) ? URL.parse(url) : null
  // The messages do not repeat the URL because it contains a password.
  if (url !== null && parsed === null)
    reader.reportProblem('REDIS_URL', 'must be an address such as redis://:password@host:6379/0')
  if (parsed && ![parsed.pathname.slice(1), parsed.searchParams.get('db') ?? ''].every((db) => /^\d{0,9}$/.test(db)))
    reader.reportProblem('REDIS_URL', 'must end in the number of a database, such as redis://:password@host:6379/0')
  return url?.replace(/^valkey/, 'redis') ?? null
}

/** Thrown if the embedded database cannot be used. The message is one line for the administrator, with instructions. */
export class EmbeddedDatabaseError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddedDatabaseError'
  }
}

/** What a PostgreSQL that starts or stops answers to connections, which is no reason of a failure. */
const REFUSED_CONNECTION = /FATAL: *the database system is /

/** Returns the reason of a failure from the output of a PostgreSQL program or the system. */
export function extractReason(output: string): string {
  const lines = output
    .trim()
    .split('\n')
    .filter((line) => !REFUSED_CONNECTION.test(line))
  const reason = lines.find((line) => /error:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1) ?? ''
  return reason.replace(/^.*?(error|FATAL|PANIC): */, '') || 'it gave no reason'
}

/** The alternative that every message names. */
export const EXTERNAL_DATABASE_HINT = 'or set DATABASE_URL to a PostgreSQL 15 or newer'

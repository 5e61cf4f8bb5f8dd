/** The embedded database can't be used. The message is one line for the person at the console, with the way out. */
export class EmbeddedRefusal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EmbeddedRefusal'
  }
}

/** The line by which a program of PostgreSQL, or the system, says what went wrong. */
export function reasonIn(output: string): string {
  const lines = output.trim().split('\n')
  const reason = lines.find((line) => /error:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1) ?? ''
  return reason.replace(/^.*?(error|FATAL|PANIC): */, '') || 'it gave no reason'
}

/** The part of every such message that always helps. */
export const OTHER_DATABASE = 'or set DATABASE_URL to a PostgreSQL 15 or newer'

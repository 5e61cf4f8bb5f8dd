import pino from 'pino'

export interface Log {
  debug(facts: object, text: string): void
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}

/**
 * Structured logs on standard error, one JSON object per line, so that standard output belongs to the commands.
 * Only named facts are logged: no request bodies, no headers, no query strings.
 */
export function createLog(level: string, to: { write(line: string): void } = standardError()): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }, to)
}

function standardError() {
  return pino.destination({ fd: 2, sync: false })
}

/** What may be told of an error: parameters of a query can hold tokens and private texts, so they stay out. */
function describeError(err: unknown): object {
  if (!(err instanceof Error)) return { message: String(err) }
  const code = (err as { code?: unknown }).code
  return { type: err.name, message: err.message, ...(code ? { code } : {}), stack: err.stack }
}

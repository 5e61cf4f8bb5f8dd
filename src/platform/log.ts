import pino from 'pino'
import { formatLogRecord } from './text-log.ts'

export interface Log {
  debug(facts: object, text: string): void
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
  error(facts: object, text: string): void
}

export type LogFormat = 'json' | 'text'

/** Receives whole lines. */
interface LogOutput {
  write(line: string): unknown
}

/**
 * Structured logs on standard error, so that standard output belongs to the commands: one JSON object per line, or text
 * for people. Only named facts are logged: no request bodies, no headers, no query strings.
 */
export function createLog(
  level: string,
  { format = 'json', colours = false, output }: { format?: LogFormat; colours?: boolean; output?: LogOutput } = {},
): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: describeError } }
  if (format === 'json') return pino(options, output ?? createStandardError())
  const text = output ?? process.stderr
  return pino(options, { write: (line) => void text.write(formatLogRecord(line, { colours })) })
}

/** Ends the output of a log of `createLog`. */
export function silenceLog(log: Log): void {
  ;(log as pino.Logger).level = 'silent'
}

/** Returns the format that is set, or else text on a terminal and JSON for programs that collect logs. */
export function chooseLogFormat(
  { logFormat }: { logFormat: LogFormat | null },
  { isTTY }: { isTTY?: boolean } = process.stderr,
): LogFormat {
  return logFormat ?? (isTTY ? 'text' : 'json')
}

function createStandardError(): LogOutput {
  const output = pino.destination({ fd: 2, sync: false })
  // A terminal that was closed, or a program that collects no more logs, is no reason to stop serving.
  output.on('error', () => undefined)
  return output
}

/** What may be told of an error: parameters of a query can hold tokens and private texts, so they stay out. */
function describeError(err: unknown): object {
  if (!(err instanceof Error)) return { message: String(err) }
  const code = (err as { code?: unknown }).code
  return { type: err.name, message: err.message, ...(code ? { code } : {}), stack: err.stack }
}

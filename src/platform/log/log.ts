import pino from 'pino'
import { describeError } from '../../lib/describe-error.ts'
import { formatLogRecord } from './format-log-record.ts'
import { mapStack } from './map-stack.ts'

export interface Log {
  debug(fields: object, text: string): void
  info(fields: object, text: string): void
  warn(fields: object, text: string): void
  error(fields: object, text: string): void
}

export type LogFormat = 'json' | 'text'

/** Receives complete lines. */
interface LogDestination {
  write(line: string): unknown
}

/**
 * Creates a log on standard error, because standard output has the output of commands: one JSON object per line, or
 * readable text. Only named fields are logged: no request bodies, headers or query strings.
 */
export function createLog(
  level: string,
  { format = 'json', colours = false, output }: { format?: LogFormat; colours?: boolean; output?: LogDestination } = {},
): Log {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: serializeError } }
  if (format === 'json') return pino(options, output ?? createStderrDestination())
  const text = output ?? process.stderr
  return pino(options, { write: (line) => void text.write(formatLogRecord(line, { colours })) })
}

/** Silences a log of `createLog`. */
export function silenceLog(log: Log): void {
  ;(log as pino.Logger).level = 'silent'
}

/** Returns the configured format. Default: text on a terminal, else JSON for programs that collect logs. */
export function chooseLogFormat(
  { logFormat }: { logFormat: LogFormat | null },
  { isTTY }: { isTTY?: boolean } = process.stderr,
): LogFormat {
  return logFormat ?? (isTTY ? 'text' : 'json')
}

function createStderrDestination(): LogDestination {
  const output = pino.destination({ fd: 2, sync: false })
  // The server continues if the terminal was closed or the program that collects the logs has ended.
  output.on('error', () => undefined)
  return output
}

/** Omits other properties of an error, such as query parameters, which can contain tokens and private texts. */
function serializeError(err: unknown): object {
  if (!(err instanceof Error)) return { message: String(err) }
  const code = (err as { code?: unknown }).code
  return {
    type: err.name,
    message: describeError(err),
    ...(code ? { code } : {}),
    stack: err.stack && mapStack(err.stack),
  }
}

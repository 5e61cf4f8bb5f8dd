import { styleText } from 'node:util'

/** Labels of messages by their level in pino. */
const LEVEL_LABELS: readonly { from: number; label: string; style: 'red' | 'yellow' | 'dim' }[] = [
  { from: 50, label: 'error: ', style: 'red' },
  { from: 40, label: 'warning: ', style: 'yellow' },
  { from: 30, label: '', style: 'dim' },
  { from: 0, label: 'debug: ', style: 'dim' },
]

/** From this level of pino on, errors are printed with their stack trace, because they are bugs in Linnet. */
const ERROR_LEVEL = 50

/** The keys of a record that have a fixed place in the line. */
const RESERVED_KEYS = new Set(['level', 'time', 'msg', 'err'])

/** An error as `createLog` records it. */
interface LoggedError {
  message?: string
  stack?: string
}

/**
 * Formats one record of pino as a line for a terminal: local time, message, the error's message, then the other fields
 * as `name=value`. From level `error` on, the stack trace follows. Ends with a line feed.
 */
export function formatLogRecord(json: string, { colours }: { colours: boolean }): string {
  const record = JSON.parse(json) as Record<string, unknown> & { level: number; time: string; msg?: string }
  const { label, style } = LEVEL_LABELS.find(({ from }) => record.level >= from)!
  const paint = (text: string, how: typeof style) =>
    colours && text !== '' ? styleText(how, text, { validateStream: false }) : text
  const err = record['err'] as LoggedError | undefined
  const message = [record.msg ?? '', err?.message].filter(Boolean).join(': ')
  const fields = Object.entries(record).filter(([name, value]) => !RESERVED_KEYS.has(name) && value !== null)
  const details = fields.map(
    ([name, value]) => `  ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  const stack = record.level >= ERROR_LEVEL && err?.stack ? `\n${stackLines(err.stack)}` : ''
  return `${formatClock(new Date(record.time))} ${paint(label, style)}${escapeControls(message)}${paint(escapeControls(details.join('')), 'dim')}${stack}\n`
}

/** Returns the local time of day, for example `09:05:00`. */
export function formatClock(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Returns the frames without the message, which is in the line above. */
function stackLines(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return frames.map((frame) => escapeControls(frame)).join('\n')
}

/** Removes control characters: messages can quote data of other servers, which must not control the terminal. */
function escapeControls(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}

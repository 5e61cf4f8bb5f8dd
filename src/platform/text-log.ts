import { styleText } from 'node:util'

/** The levels of pino that get a word in front of their message. */
const LABELS: readonly { from: number; label: string; style: 'red' | 'yellow' | 'dim' }[] = [
  { from: 50, label: 'error: ', style: 'red' },
  { from: 40, label: 'warning: ', style: 'yellow' },
  { from: 30, label: '', style: 'dim' },
  { from: 0, label: 'debug: ', style: 'dim' },
]

/** From this level of pino on, an error is shown with its stack: it is a fault of ours. */
const ERROR_LEVEL = 50

/** The keys of a record that have a place of their own in its line. */
const PLACED = new Set(['level', 'time', 'msg', 'err'])

/** An error as `createLog` records it. */
interface LoggedError {
  message?: string
  stack?: string
}

/**
 * Formats one record of pino as a line for a terminal: local time, message, the error's message, then the other facts as
 * `name=value`. Errors from level `error` on bring their stack below. Ends with a line feed.
 */
export function formatLogRecord(json: string, { colours }: { colours: boolean }): string {
  const record = JSON.parse(json) as Record<string, unknown> & { level: number; time: string; msg?: string }
  const { label, style } = LABELS.find(({ from }) => record.level >= from)!
  const paint = (text: string, how: typeof style) =>
    colours && text !== '' ? styleText(how, text, { validateStream: false }) : text
  const err = record['err'] as LoggedError | undefined
  const message = [record.msg ?? '', err?.message].filter(Boolean).join(': ')
  const facts = Object.entries(record).filter(([name, value]) => !PLACED.has(name) && value !== null)
  const details = facts.map(([name, value]) => `  ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const stack = record.level >= ERROR_LEVEL && err?.stack ? `\n${stackLines(err.stack)}` : ''
  return `${formatClock(new Date(record.time))} ${paint(label, style)}${escapeControls(message)}${paint(escapeControls(details.join('')), 'dim')}${stack}\n`
}

/** Returns the local time of day, such as `09:05:00`. */
export function formatClock(at: Date): string {
  return [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

/** Keeps the frames only: the message stands in the line above. */
function stackLines(stack: string): string {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return frames.map((frame) => escapeControls(frame)).join('\n')
}

/** Messages can quote what other servers sent, which must not drive the terminal. */
function escapeControls(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ')
}

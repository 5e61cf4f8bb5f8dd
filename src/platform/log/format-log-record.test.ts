import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StorageUnavailableError } from '../storage/storage.ts'
import { createLog } from './log.ts'

/** Returns what a log of this level writes as text. */
function logged(work: (log: ReturnType<typeof createLog>) => void, { colours = false, level = 'info' } = {}): string {
  let text = ''
  work(createLog(level, { format: 'text', colours, output: { write: (line) => void (text += line) } }))
  return text
}

test('a record is one short line: time, message, fields', () => {
  assert.match(
    logged((log) => log.info({ domain: 'birds.example', attempt: 2, nothing: null }, 'Listening')),
    /^\d\d:\d\d:\d\d Listening {2}domain=birds\.example {2}attempt=2\n$/,
  )
  assert.match(
    logged((log) => log.debug({}, 'details'), { level: 'debug' }),
    /^\d\d:\d\d:\d\d debug: details\n$/,
  )
})

test('a warning has its reason in the same line, and only an error has a stack trace', () => {
  const err = new Error('no route to host')
  assert.match(
    logged((log) => log.warn({ err }, 'Job failed')),
    /^\d\d:\d\d:\d\d warning: Job failed: no route to host\n$/,
  )
  const lines = logged((log) => log.error({ err }, 'Request failed')).split('\n')
  assert.match(lines[0]!, /^\d\d:\d\d:\d\d error: Request failed: no route to host$/)
  assert.match(lines[1]!, /^ +at .*format-log-record\.test/)
})

test('an error whose text is for clients is logged with the cause that they must not see', () => {
  const err = new StorageUnavailableError(new Error('connect ECONNREFUSED 10.0.0.9:9000'))
  assert.match(
    logged((log) => log.warn({ err }, 'Job failed')),
    /^\S+ warning: Job failed: There was a temporary problem .*, please try again \(connect ECONNREFUSED 10\.0\.0\.9:9000\)\n$/,
  )
})

test('colours appear only if they are requested', () => {
  const warn = (colours: boolean) => logged((log) => log.warn({ a: 1 }, 'careful'), { colours })
  assert.ok(warn(true).includes('\u001b[33mwarning: \u001b[39m'))
  assert.ok(!warn(false).includes('\u001b'))
})

test('a text of another server cannot control the terminal', () => {
  const text = logged((log) => log.warn({ host: '\u001b[2Jx', err: new Error('a\nb\u0007') }, 'odd'))
  assert.match(text, /^\d\d:\d\d:\d\d warning: odd: a b {3}host= ?\[2Jx\n$/)
})

test('in JSON, a record is one object per line with its time and level', () => {
  let text = ''
  createLog('info', { format: 'json', output: { write: (line) => void (text += line) } }).info({ port: 1 }, 'Listening')
  const { level, time, ...rest } = JSON.parse(text) as Record<string, unknown>
  assert.deepEqual([level, rest], [30, { port: 1, msg: 'Listening' }])
  assert.ok(!Number.isNaN(Date.parse(String(time))))
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { eventually } from '../../../../test/servers/linnet-process.ts'
import { runConfined } from './run-confined.ts'

const limits = { memoryBytes: 1_500_000_000, fileBytes: 1_000_000, seconds: 20 }
const run = (script: string, change: Partial<typeof limits> = {}) =>
  runConfined([process.execPath, '-e', script], { ...limits, ...change })

/** Returns whether a process exists and is not a zombie. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

test('ME5: a confined program has no secrets in its environment and no input', async () => {
  process.env['LINNET_TEST_SECRET'] = 'Sekret'
  const { ok, stdout } = await run(`
    const bytes = require('node:fs').readFileSync(0)
    console.log(JSON.stringify([Object.keys(process.env).sort(), process.cwd(), bytes.length]))`)
  delete process.env['LINNET_TEST_SECRET']
  assert.deepEqual([ok, JSON.parse(stdout)], [true, [['LANG', 'PATH'], '/', 0]])
})

test('ME4 ME5: a confined program has no network', async (t) => {
  const { stdout } = await run(`
    const { networkInterfaces } = require('node:os')
    console.log(JSON.stringify(Object.values(networkInterfaces()).flat().filter((one) => !one.internal).length))`)
  if (stdout.trim() !== '0') t.diagnostic('namespaces cannot be created here: only ffmpeg’s protocol whitelist applies')
  assert.match(stdout, /^\d+$/m)
})

test('ME5: a confined program cannot exceed its memory limit and file size limit', async () => {
  const greedy = await run(`
    const kept = []
    for (let n = 0; n < 40; n += 1) kept.push(Buffer.alloc(100_000_000, n))
    console.log('got it all')`)
  assert.deepEqual([greedy.ok, greedy.stdout], [false, ''])
  const { ok } = await run(`
    const path = require('node:os').tmpdir() + '/linnet-confined-' + process.pid
    try { require('node:fs').writeFileSync(path, Buffer.alloc(2_000_000)) } finally { require('node:fs').rmSync(path) }`)
  assert.equal(ok, false)
})

test('ME5: a confined program is killed after its time limit, together with its child processes', async () => {
  const { ok, stdout } = await runConfined(['sh', '-c', 'sleep 600 & echo $!; echo $$; wait'], {
    ...limits,
    seconds: 1,
  })
  const pids = stdout.trim().split('\n').map(Number)
  assert.deepEqual([ok, pids.length], [false, 2])
  await eventually(async () => assert.deepEqual(pids.filter(isAlive), []))
})

test('ME5: a confined program is killed if it writes too much output', async () => {
  const { ok, stdout } = await runConfined(['yes'], limits)
  assert.equal(ok, false)
  assert.ok(stdout.length < 1_000_000)
})

test('a program that cannot be started is an error', () =>
  assert.rejects(async () => {
    const { ok } = await runConfined(['/nowhere/ffmpeg'], limits)
    if (!ok) throw new Error('not started')
  }))

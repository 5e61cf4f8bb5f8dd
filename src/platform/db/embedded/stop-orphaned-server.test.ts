import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Writable } from 'node:stream'
import { eventually } from '../../../../test/servers/linnet-process.ts'
import { isAlive } from './stop-orphaned-server.ts'

test('a process is alive until it has ended', async () => {
  const child = spawn('sleep', ['60'])
  assert.equal(isAlive(child.pid!), true)
  child.kill()
  await once(child, 'exit')
  assert.equal(isAlive(child.pid!), false)
})

if (process.platform === 'linux') {
  test('a zombie does not count as alive', async (t) => {
    // The child ends when its input is closed; by then, its parent is a program that never reaps children.
    const parent = spawn('sh', ['-c', '(read line <&3) & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    })
    t.after(() => parent.kill())
    const [output] = (await once(parent.stdout!, 'data')) as [Buffer]
    const pid = Number(output.toString())
    await eventually(async () => assert.equal(readFileSync(`/proc/${parent.pid}/comm`, 'utf8'), 'sleep\n'))
    assert.equal(isAlive(pid), true)
    ;(parent.stdio[3] as Writable).end()
    await eventually(async () => assert.equal(isAlive(pid), false))
    assert.doesNotThrow(() => process.kill(pid, 0))
  })
}

import { test } from 'node:test'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { eventually } from '../../../../test/linnet.ts'
import { isAlive } from './orphan.ts'

test('a process lives until it has ended', async () => {
  const child = spawn('sleep', ['60'])
  assert.equal(isAlive(child.pid!), true)
  child.kill()
  await once(child, 'exit')
  assert.equal(isAlive(child.pid!), false)
})

if (process.platform === 'linux') {
  test('a process that has ended counts as gone although its parent never asks for it', async (t) => {
    const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'])
    t.after(() => parent.kill())
    const [output] = (await once(parent.stdout, 'data')) as [Buffer]
    const pid = Number(output.toString())
    await eventually(async () => assert.equal(isAlive(pid), false))
    assert.doesNotThrow(() => process.kill(pid, 0))
  })
}

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { mapStack } from './map-stack.ts'

test('positions in the bundled server are replaced by those of the sources, others remain', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'linnet-stack-'))
  t.after(() => rm(root, { recursive: true }))
  const folder = join(root, 'linnet-server/one')
  await mkdir(folder, { recursive: true })
  // The second line of the bundle is the fourth line of the source.
  const map = { version: 3, sources: ['../../src/serve.ts'], names: [], mappings: ';AAGA' }
  await writeFile(join(folder, 'main.js.map'), JSON.stringify(map))
  const bundled = pathToFileURL(join(folder, 'main.js')).href
  const withoutMap = pathToFileURL(join(folder, 'other.js')).href
  const stack = `Error: no\n    at serve (${bundled}:2:1)\n    at ${withoutMap}:1:1\n    at node:internal:3:4`
  const lines = mapStack(stack).split('\n')
  assert.match(lines[1]!, /at serve \((?!file:).*src\/serve\.ts:4:1\)$/)
  assert.deepEqual(lines.slice(2), [`    at ${withoutMap}:1:1`, '    at node:internal:3:4'])
})

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runCommand } from '../../../test/run-command.ts'
import { urlOf } from '../../../test/servers/linnet-process.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer

test('a list of domain blocks is previewed, imported and exported by commands', async () => {
  const env = { DATA_DIR: ctx.config.dataDir, DATABASE_URL: urlOf(testServer.connection) }
  const file = join(ctx.config.dataDir, 'blocks.csv')
  const run = (...args: string[]) => runCommand(['domain-blocks', ...args], env)
  await writeFile(
    file,
    '#domain,#severity,#public_comment\nbad.test,suspend,=spam\nquiet.test,silence,\nex***.test,,\n',
  )
  const dry = await run('import', file, '--dry-run')
  assert.equal(dry.stderr, 'Line 4 has an obfuscated domain: ex***.test\n')
  const lines = ['bad.test\tsuspend\tnew\t0 accounts\t0 follows', 'quiet.test\tsilence\tnew\t0 accounts\t0 follows']
  assert.deepEqual([dry.code, dry.stdout], [1, `${lines.join('\n')}\n`])
  assert.equal((await run('list')).stdout, '')
  const done = await run('import', file)
  assert.deepEqual([done.code, done.stdout], [1, 'Applied 2, skipped 0, unchanged 0, invalid 1, failed 0\n'])
  const exported = await run('export')
  const header = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate'
  const rows = ["bad.test,suspend,false,false,'=spam,false", 'quiet.test,silence,false,false,,false']
  assert.equal(exported.stdout, `${[header, ...rows].join('\n')}\n`)
  await writeFile(file, 'bad.test,silence\nquiet.test,silence\n')
  assert.match(
    (await run('import', file, '--dry-run')).stdout,
    /^bad\.test\tsilence\tskipped: an existing block is stricter\t/,
  )
  const weaker = await run('import', file)
  assert.deepEqual([weaker.code, weaker.stdout], [0, 'Applied 0, skipped 1, unchanged 1, invalid 0, failed 0\n'])
  const overwritten = await run('import', file, '--overwrite')
  assert.equal(overwritten.stdout, 'Applied 1, skipped 0, unchanged 1, invalid 0, failed 0\n')
  assert.match((await run('import', join(ctx.config.dataDir, 'none.csv'))).stderr, /does not exist/)
})

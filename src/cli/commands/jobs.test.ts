import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { urlOf } from '../../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../../test/services/database/test-database.ts'
import { runCommand } from '../../../test/run-command.ts'
import { createDb, createPool } from '../../platform/db/connection.ts'
import { enqueueJobs } from '../../platform/jobs/job-queue.ts'
import { addBuilder } from '../../../test/query-builder.ts'
import type { BuilderDb } from '../../../test/query-builder.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 1, onError: () => {} })
const db: BuilderDb = addBuilder(createDb(pool))
let env: Record<string, string>

before(async () => {
  env = { DATA_DIR: await mkdtemp(join(tmpdir(), 'linnet-jobs-')), DATABASE_URL: urlOf(database.connection) }
  const attempts = 8
  await enqueueJobs(db, [
    { name: 'publishEdit', payload: { statusId: '1' }, maxAttempts: attempts },
    { name: 'sendMail', payload: { mailId: '1' }, maxAttempts: attempts, queue: 'network' },
    { name: 'sendMail', payload: { mailId: '2' }, maxAttempts: attempts, queue: 'network' },
  ])
  // In a separate transaction, so that it is newer than the jobs of other queues, too.
  await enqueueJobs(db, [{ name: 'flyAway', payload: {}, maxAttempts: attempts }])
  await sql`update jobs set attempts = 8, last_error = ${'no such bird\n  at the nest'} where id in (1, 2)`.execute(db)
})

after(async () => {
  await pool.end()
  await database.drop()
  await rm(env['DATA_DIR']!, { recursive: true, force: true })
})

test('jobs are counted by state', async () => {
  const { code, stdout } = await runCommand(['jobs'], env)
  assert.deepEqual([code, stdout], [0, 'waiting  1\nrunning  0\nretrying 0\ndead     2\nparked   1\n'])
})

test('the list shows failed jobs with the reason in one line', async () => {
  const { stdout } = await runCommand(['jobs', 'list', '--state', 'dead'], env)
  assert.match(
    stdout,
    /^2 +dead +sendMail +8\/8 +\S+Z +no such bird\n1 +dead +publishEdit +8\/8 +\S+Z +no such bird\n$/,
  )
  const all = await runCommand(['jobs', 'list', '--limit', '1'], env)
  assert.match(all.stdout, /^4 +parked +flyAway +0\/8 +\S+Z\n$/)
})

test('dead jobs are retried by id or all together', async () => {
  const one = await runCommand(['jobs', 'retry', '2'], env)
  assert.deepEqual([one.code, one.stdout], [0, '1 job will be retried\n'])
  const again = await runCommand(['jobs', 'retry', '2'], env)
  assert.deepEqual([again.code, again.stderr], [1, '1 of the jobs do not exist or are not dead\n'])
  const all = await runCommand(['jobs', 'retry', '--all-dead'], env)
  assert.deepEqual([all.code, all.stdout], [0, '1 job will be retried\n'])
  assert.match((await runCommand(['jobs'], env)).stdout, /waiting +3\n.*\n.*\ndead +0\n/)
})

test('an invalid call fails with one line', async () => {
  for (const [args, line] of [
    [['retry'], 'Specify either ids of jobs or --all-dead\n'],
    [['retry', '1', '--all-dead'], 'Specify either ids of jobs or --all-dead\n'],
    [['retry', 'one'], '"one" is not the id of a job\n'],
  ] as const) {
    const { code, stdout, stderr } = await runCommand(['jobs', ...args], env)
    assert.deepEqual([code, stdout, stderr], [1, '', line])
  }
  assert.match((await runCommand(['jobs', 'list', '--limit', '0'], env)).stderr, /whole number from 1 to 10000/)
})

test('an unreachable database is reported in one line, without its password', async () => {
  const { code, stderr } = await runCommand(['jobs'], {
    ...env,
    DATABASE_URL: 'postgresql://linnet:geheim@127.0.0.1:1/birds',
  })
  assert.equal(code, 1)
  assert.match(stderr, /^The database at 127\.0\.0\.1:1\/birds can't be used: .*ECONNREFUSED.*\n$/)
  assert.ok(!stderr.includes('geheim'))
})

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
import { addBuilder } from '../../../test/query-builder.ts'

const ORIGIN = 'https://linnet.test'
const NOTE = `${ORIGIN}/ap/users/1/statuses/900`

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 1, onError: () => {} })
const db = addBuilder(createDb(pool))
let env: Record<string, string>

before(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-deliveries-'))
  env = { DATA_DIR: dataDir, DATABASE_URL: urlOf(database.connection), LOCAL_DOMAIN: 'linnet.test' }
  await sql`
    insert into sent_activities (uri, status_id, body)
    values (${`${NOTE}/activity`}, 900, '{}'), (${`${NOTE}#delete`}, 900, '{}'), ('https://linnet.test/other', null, '{}')
  `.execute(db)
  await sql`
    insert into deliveries (activity_id, inbox_url, domain, state, attempts, last_status, last_error, next_attempt_at)
    values
      (1, 'https://good.test/inbox', 'good.test', 'delivered', 1, 202, null, now()),
      (1, 'https://slow.test/inbox', 'slow.test', 'pending', 3, 503, null, '2030-01-01T00:00Z'),
      (1, 'https://dead.test/inbox', 'dead.test', 'abandoned', 18, null, 'dead.test was not found', now()),
      (2, 'https://good.test/inbox', 'good.test', 'rejected', 1, 410, null, now()),
      (2, 'https://slow.test/inbox', 'slow.test', 'abandoned', 9, 500, null, now())`.execute(db)
  await sql`
    insert into hosts (domain, consecutive_failures, retry_after, unreachable_since, failing_days, last_error)
    values ('good.test', 0, null, null, '{}', null), ('slow.test', 2, '2030-01-01T00:00Z', null, '{2026-01-01}', 'HTTP 503'),
      ('dead.test', 40, null, '2026-01-07T00:00Z', '{2026-01-01,2026-01-02}', 'dead.test was not found')`.execute(db)
})

after(async () => {
  await pool.end()
  await database.drop()
  await rm(env['DATA_DIR']!, { recursive: true, force: true })
})

const deliveries = (...args: string[]) => runCommand(['deliveries', ...args], env)

async function readReminders(): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    delete from jobs where queue = 'network' returning key`.execute(db)
  return rows.map((row) => row.key)
}

test('hosts are listed with their deliveries and their state, the worst first', async () => {
  const { code, stdout } = await deliveries()
  assert.equal(code, 0)
  assert.deepEqual(
    stdout.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | ')),
    [
      'HOST | PENDING | DELIVERED | REJECTED | ABANDONED | STATE',
      'dead.test | 0 | 0 | 0 | 1 | unavailable since 2026-01-07T00:00:00.000Z: dead.test was not found',
      'slow.test | 1 | 0 | 0 | 1 | backoff until 2030-01-01T00:00:00.000Z: HTTP 503',
      'good.test | 0 | 1 | 1 | 0 | ok',
      '',
    ],
  )
  const { stdout: first } = await deliveries('--limit', '1')
  assert.equal(first.split('\n').length, 3)
})

test('the deliveries of a status are listed by its id, URI or URL', async () => {
  const { stdout } = await deliveries('status', '900')
  assert.match(
    stdout,
    /^\S+Z {2}\S+900\/activity\n {2}abandoned .*\n {2}delivered {2}1× {3}HTTP 202 {2}https:\/\/good\.test\/inbox\n/,
  )
  assert.match(stdout, / {2}pending .* HTTP 503 .*slow\.test\/inbox {2}next try 2030-01-01T00:00:00\.000Z\n/)
  assert.match(stdout, / {2}abandoned .* dead\.test was not found .*dead\.test\/inbox\n/)
  assert.match(stdout, /\n\S+Z {2}\S+900#delete\n {2}abandoned .*\n {2}rejected {3}1× {3}HTTP 410 /)
  for (const name of [NOTE, `${NOTE}/activity`, `${ORIGIN}/@ann/900`]) {
    assert.equal((await deliveries('status', name)).stdout, stdout, name)
  }
  const unknown = await deliveries('status', '901')
  assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
  assert.match(unknown.stderr, /^There are no deliveries of 901/)
})

test('the state of a host is shown with its failed deliveries', async () => {
  const { stdout } = await deliveries('host', 'SLOW.test')
  assert.match(stdout, /^state +backoff until 2030/)
  assert.match(stdout, /^failures +2 in a row, on 1 days$/m)
  assert.match(stdout, /^abandoned {2}9× {3}HTTP 500 {2}https:\/\/slow\.test\/inbox {2}\S+#delete$/m)
  assert.deepEqual(await deliveries('host', 'nowhere.test'), {
    code: 1,
    stdout: '',
    stderr: 'There were no deliveries to nowhere.test\n',
  })
  assert.equal((await deliveries('host', 'not a host')).stderr, '"not a host" is not a domain\n')
})

test('pending and abandoned deliveries are retried immediately', async () => {
  assert.equal((await deliveries('retry', 'slow.test')).stdout, '2 deliveries will be retried\n')
  assert.deepEqual(await readReminders(), ['delivery:slow.test'])
  assert.match((await deliveries()).stdout, /slow\.test +2 +0 +0 +0 {2}failed 2 times in a row/)
  assert.equal((await deliveries('retry', 'dead.test')).stderr, 'dead.test is unavailable; reset it first\n')
  assert.equal((await deliveries('retry')).stderr, 'Specify either a host or --all\n')
  assert.equal((await deliveries('retry', 'slow.test', '--all')).stderr, 'Specify either a host or --all\n')
  assert.equal((await deliveries('retry', '--all')).stdout, '2 deliveries will be retried\n')
})

test('an unavailable host gets deliveries again after a reset', async () => {
  await readReminders()
  assert.equal((await deliveries('reset', 'dead.test')).stdout, 'OK\n')
  assert.deepEqual(await readReminders(), ['delivery:dead.test'])
  assert.match((await deliveries('host', 'dead.test')).stdout, /^state +ok$/m)
  assert.equal((await deliveries('retry', 'dead.test')).stdout, '1 delivery will be retried\n')
  assert.equal((await deliveries('reset', 'nowhere.test')).code, 1)
})

import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminJob } from '../../../../../entities/admin/operations/admin-job.ts'
import { enqueueJobs } from '../../../../../platform/jobs/job-queue.ts'

const PATH = '/api/v1/admin/jobs'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { db } = testServer.ctx
const owner = await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' })

beforeEach(async () => {
  await sql`delete from jobs`.execute(db)
  const payload = { email: 'someone@mail.test' }
  await enqueueJobs(db, [{ name: 'publishEdit', payload, maxAttempts: 8 }])
  await enqueueJobs(db, [{ name: 'sendMail', payload, maxAttempts: 8, queue: 'network' }])
  await enqueueJobs(db, [{ name: 'flyAway', payload, maxAttempts: 8 }])
  await sql`update jobs set attempts = 8, last_error = ${'550 <someone@mail.test>: unknown\n  at send'}
    where queue = 'network'`.execute(db)
})

async function list(query: Record<string, string> = {}): Promise<AdminJob[]> {
  const { status, body } = await owner.client.get<AdminJob[]>(PATH, query)
  assert.equal(status, 200)
  for (const job of body) assertEntity('AdminJob', job)
  assert.doesNotMatch(JSON.stringify(body), /someone/)
  return body
}

async function auditOf(label: string): Promise<[string, string | null][]> {
  const rows = await db
    .selectFrom('audit_log_entries')
    .selectAll()
    .where('target_type', '=', 'job')
    .where('label', '=', label)
    .orderBy('id')
    .execute()
  return rows.map(({ action, account_id }) => [action, account_id])
}

suite('jobs', () => {
  test('are listed newest first and by state, without arguments and e-mail addresses', async () => {
    const jobs = await list()
    assert.deepEqual(
      jobs.map(({ name, state, queue }) => [name, state, queue]),
      [
        ['flyAway', 'parked', 'default'],
        ['sendMail', 'dead', 'network'],
        ['publishEdit', 'waiting', 'default'],
      ],
    )
    const [dead, ...others] = await list({ state: 'dead' })
    assert.deepEqual([dead?.attempts, dead?.max_attempts, dead?.last_error, others], [8, 8, '550 <…>: unknown', []])
    assert.equal((await owner.client.get(PATH, { state: 'nonsense' })).status, 422)
  })

  test('are retried if they are dead', async () => {
    const [dead] = await list({ state: 'dead' })
    assert.deepEqual((await owner.client.post(`${PATH}/${dead!.id}/retry`)).body, {})
    assert.deepEqual(await list({ state: 'dead' }), [])
    assert.deepEqual((await list({ state: 'waiting' })).map(({ id, attempts }) => [id, attempts])[0], [dead!.id, 0])
    assert.deepEqual(await auditOf(`sendMail ${dead!.id}`), [['retry', owner.accountId]])
    assert.equal((await owner.client.post(`${PATH}/${dead!.id}/retry`)).status, 422)
  })

  test('are deleted unless they run', async () => {
    const [parked, , waiting] = await list()
    await sql`update jobs set locked_at = now(), locked_by = 'worker'
      where id = ${waiting!.id}`.execute(db)
    const refused = await owner.client.delete(`${PATH}/${waiting!.id}`)
    assert.deepEqual([refused.status, refused.body.error], [422, 'A running job cannot be deleted'])
    assert.deepEqual((await owner.client.delete(`${PATH}/${parked!.id}`)).body, {})
    assert.deepEqual(
      (await list()).map(({ name }) => name),
      ['sendMail', 'publishEdit'],
    )
    assert.deepEqual(await auditOf(`flyAway ${parked!.id}`), [['delete', owner.accountId]])
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', 'n4711', 'nonsense', '0']) {
      assert.equal((await owner.client.post(`${PATH}/${id}/retry`)).status, 404, id)
      assert.equal((await owner.client.delete(`${PATH}/${id}`)).status, 404, id)
    }
  })
})

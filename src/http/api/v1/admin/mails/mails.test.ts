import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { TestServer } from '../../../../../../test/servers/test-server.ts'
import { enqueueMail } from '../../../../../domain/mails/enqueue-mail.ts'
import type { AdminMail } from '../../../../../entities/admin/operations/admin-mail.ts'

const PATH = '/api/v1/admin/mails'
const ERROR = '550 <ada@mail.test>: unknown\n  at send'

// No worker runs, so the jobs stay as the tests leave them.
const testServer = await openTestServer({ effects: false, env: { SMTP_SERVER: '127.0.0.1', SMTP_PORT: '1' } })
const withoutSmtp = await openTestServer({ effects: false })
after(testServer.close)
after(withoutSmtp.close)
const { db } = testServer.ctx
const owner = await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' })
/** May view DevOps, but not manage users. */
const operator = await testServer.createUser({ scopes: 'admin:read admin:write' })
await db.insertInto('roles').values({ id: '60', name: 'Operators', position: 5, permissions: '2' }).execute()
await db.updateTable('users').set({ role_id: '60' }).where('id', '=', operator.userId).execute()

beforeEach(async () => {
  await sql`delete from jobs where queue = 'network'`.execute(db)
  await sql`delete from mails`.execute(db)
})

/** Stores a mail with its job. Returns its id. */
async function createMail({ ctx }: TestServer, recipient: string, subject = 'Hello'): Promise<string> {
  const secret = 'https://linnet.test/auth/confirmation?token=secret'
  const mail = { key: recipient, recipient, subject, text: secret, html: secret }
  await ctx.write((tx) => enqueueMail(tx, mail))
  const { id } = await ctx.db.selectFrom('mails').select('id').where('key', '=', recipient).executeTakeFirstOrThrow()
  return id
}

const setJob = async (mailId: string, change: string) =>
  void (await sql`update jobs set ${sql.raw(change)} where payload ->> 'mailId' = ${mailId}`.execute(db))

/** Runs the job of a mail without a mail server, or for the last time with an error. */
const endJob = async (mailId: string, outcome: 'stored' | 'failed') =>
  void (outcome === 'stored'
    ? await sql`delete from jobs where queue = 'network' and payload ->> 'mailId' = ${mailId}`.execute(db)
    : await sql`update jobs set attempts = max_attempts, last_error = ${ERROR} where payload ->> 'mailId' = ${mailId}`.execute(
        db,
      ))

const countJobs = async (mailId: string) =>
  (await sql`select from jobs where queue = 'network' and payload ->> 'mailId' = ${mailId}`.execute(db)).rows.length

async function list(query: Record<string, string> = {}, by = owner): Promise<AdminMail[]> {
  const { status, body } = await by.client.get<AdminMail[]>(PATH, query)
  assert.equal(status, 200)
  for (const mail of body) assertEntity('AdminMail', mail)
  assert.doesNotMatch(JSON.stringify(body), /secret/)
  return body
}

async function find(id: string): Promise<AdminMail> {
  const { status, body } = await owner.client.get<AdminMail>(`${PATH}/${id}`)
  assert.equal(status, 200)
  assertEntity('AdminMail', body)
  return body
}

async function auditOf(mailId: string): Promise<[string, string | null][]> {
  const entries = db.selectFrom('audit_log_entries').selectAll().where('target_type', '=', 'mail')
  const rows = await entries.where('target_id', '=', mailId).orderBy('id').execute()
  assert.doesNotMatch(JSON.stringify(rows), /@mail/)
  return rows.map(({ action, account_id }) => [action, account_id])
}

suite('unsent mails', () => {
  test('are listed newest first with their states, without their texts', async () => {
    const failed = await createMail(testServer, 'ada@mail.test')
    const stored = await createMail(testServer, 'bob@mail.test')
    const queued = await createMail(testServer, 'cat@mail.test', 'Confirm your e-mail address')
    const sent = await createMail(testServer, 'dan@mail.test')
    await endJob(failed, 'failed')
    await endJob(stored, 'stored')
    await setJob(queued, `attempts = 2, last_error = 'Not now', run_at = '2030-01-01T00:00Z'`)
    await sql`update mails set sent_at = now() where id = ${sent}`.execute(db)
    const mails = await list()
    assert.deepEqual(
      mails.map(({ id, state, attempts, last_error }) => [id, state, attempts, last_error]),
      [
        [queued, 'queued', 2, 'Not now'],
        [stored, 'stored', 0, null],
        [failed, 'failed', 20, '550 <…>: unknown'],
      ],
    )
    assert.deepEqual(await find(queued), mails[0])
    assert.equal(mails[0]?.subject, 'Confirm your e-mail address')
    assert.deepEqual(
      mails.map((mail) => mail.next_attempt_at),
      ['2030-01-01T00:00:00.000Z', null, null],
    )
    for (const { id, state } of mails)
      assert.deepEqual([(await list({ state }))[0]?.id, (await list({ state })).length], [id, 1])
    assert.equal((await owner.client.get(PATH, { state: 'sent' })).status, 422)
    const { headers } = await owner.client.get(PATH, { limit: '1', state: 'stored' })
    assert.match(String(headers['link']), /state=stored&max_id=\d+>; rel="next"/)
    assert.equal((await owner.client.get(`${PATH}/${sent}`)).status, 404)
  })

  test('have masked recipients for staff who may not manage users', async () => {
    await createMail(testServer, 'ada@mail.test')
    assert.deepEqual(
      [(await list()).map((mail) => mail.recipient), (await list({}, operator)).map((mail) => mail.recipient)],
      [['ada@mail.test'], ['a…@mail.test']],
    )
  })

  test('are sent again if they are stored or failed, but not twice', async () => {
    for (const outcome of ['stored', 'failed'] as const) {
      const id = await createMail(testServer, `${outcome}@mail.test`)
      await endJob(id, outcome)
      const [first, second] = await Promise.all([1, 2].map(() => owner.client.post(`${PATH}/${id}/retry`)))
      assert.deepEqual(new Set([first!.status, second!.status]), new Set([200, 422]))
      const { state, attempts, last_error } = await find(id)
      assert.deepEqual([state, attempts, last_error, await countJobs(id)], ['queued', 0, null, 1])
      assert.deepEqual(await auditOf(id), [['retry', owner.accountId]])
      const again = await owner.client.post(`${PATH}/${id}/retry`)
      assert.deepEqual([again.status, again.body.error], [422, 'This mail is already queued'])
    }
  })

  test('stay stored without a mail server', async () => {
    const { client } = await withoutSmtp.createUser({ role: 'owner', scopes: 'admin:read admin:write' })
    const id = await createMail(withoutSmtp, 'eve@mail.test')
    await sql`delete from jobs where queue = 'network'`.execute(withoutSmtp.ctx.db)
    const { status, body } = await client.post(`${PATH}/${id}/retry`)
    assert.deepEqual([status, body.error], [422, 'No mail server is configured'])
    assert.equal((await client.get(`${PATH}/${id}`)).body.state, 'stored')
  })

  test('are deleted with their jobs, unless they are being sent', async () => {
    const [stored, queued] = [
      await createMail(testServer, 'bob@mail.test'),
      await createMail(testServer, 'cat@mail.test'),
    ]
    await endJob(stored, 'stored')
    await setJob(queued, `locked_at = now(), locked_by = 'worker'`)
    const refused = await owner.client.delete(`${PATH}/${queued}`)
    assert.deepEqual([refused.status, refused.body.error], [422, 'This mail is being sent'])
    assert.deepEqual([(await find(queued)).state, (await find(queued)).next_attempt_at], ['queued', null])
    await setJob(queued, 'locked_at = null, locked_by = null')
    for (const id of [stored, queued]) {
      assert.deepEqual((await owner.client.delete(`${PATH}/${id}`)).body, {})
      assert.deepEqual([await countJobs(id), await auditOf(id)], [0, [['delete', owner.accountId]]])
    }
    assert.deepEqual(await list(), [])
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', 'nonsense', '0']) {
      assert.equal((await owner.client.get(`${PATH}/${id}`)).status, 404, id)
      assert.equal((await owner.client.post(`${PATH}/${id}/retry`)).status, 404, id)
      assert.equal((await owner.client.delete(`${PATH}/${id}`)).status, 404, id)
    }
  })
})

suite('a test mail', () => {
  test('goes to the caller after the mail server has accepted a connection', async () => {
    const smtp = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'] })
    await new Promise<void>((resolve) => {
      smtp.listen(0, '127.0.0.1', resolve)
    })
    const { port } = smtp.server.address() as AddressInfo
    const env = { SMTP_SERVER: '127.0.0.1', SMTP_PORT: String(port), SMTP_ENABLE_STARTTLS: 'never' }
    const withSmtp = await openTestServer({ env })
    const staff = await withSmtp.createUser({ role: 'owner', scopes: 'admin:read admin:write' })
    assert.deepEqual((await staff.client.post(`${PATH}/test`)).body, {})
    await withSmtp.waitForJobs()
    const mails = await withSmtp.ctx.db.selectFrom('mails').select(['subject', 'sent_at']).execute()
    assert.deepEqual(
      mails.map(({ subject, sent_at }) => [subject, sent_at !== null]),
      [['Test mail from linnet.test', true]],
    )
    const entries = await withSmtp.ctx.db
      .selectFrom('audit_log_entries')
      .select(['action', 'target_type'])
      .orderBy('id')
      .execute()
    assert.deepEqual(entries, [{ action: 'test', target_type: 'mail' }])
    await withSmtp.close()
    await new Promise<void>((resolve) => {
      smtp.close(resolve)
    })
  })

  test('is refused with the reason if there is no mail server, or if it accepts no connection', async () => {
    const refused = await owner.client.post(`${PATH}/test`)
    assert.equal(refused.status, 422)
    assert.match(refused.body.error, /^The mail server does not accept mails: .*ECONNREFUSED/)
    const { client } = await withoutSmtp.createUser({ role: 'owner', scopes: 'admin:read admin:write' })
    const { status, body } = await client.post(`${PATH}/test`)
    assert.deepEqual([status, body.error], [422, 'No mail server is configured'])
  })
})

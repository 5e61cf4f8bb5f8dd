import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { suspend } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Notification } from '../../../../entities/notifications/notification.ts'
import type { Report } from '../../../../entities/instance/report.ts'
import type { Status } from '../../../../entities/statuses/status.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx

async function post(user: TestUser, more: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await user.client.post('/api/v1/statuses', { status: 'Something', ...more })
  assert.equal(status, 200)
  return (body as Status).id
}

async function report(user: TestUser, payload: Record<string, unknown>): Promise<Report> {
  const { status, body } = await user.client.post('/api/v1/reports', payload)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('Report', body)
  return body as Report
}

async function addRule(text: string, deleted = false): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into rules (text, deleted_at) values (${text}, ${deleted ? new Date() : null}) returning id`.execute(db)
  return rows[0]!.id
}

async function countReports({ accountId }: TestUser): Promise<number> {
  const reports = db.selectFrom('reports').select('id').where('target_account_id', '=', accountId)
  return (await reports.execute()).length
}

async function reportsTo(user: TestUser): Promise<Notification[]> {
  await testServer.waitForJobs()
  const { body } = await user.client.get('/api/v1/notifications', { types: ['admin.report'] })
  return body as Notification[]
}

async function mailsTo(user: TestUser): Promise<{ subject: string; text: string; html: string }[]> {
  await testServer.waitForJobs()
  const mails = testServer.ctx.db
    .selectFrom('mails')
    .select(['subject', 'text', 'html'])
    .where('recipient', '=', user.email)
  return mails.where('key', 'like', 'report:%').orderBy('id').execute()
}

suite('a report', () => {
  test('is returned without the reporter', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const statusId = await post(bob)
    const created = await report(alice, {
      account_id: bob.accountId,
      status_ids: [statusId],
      comment: 'Look <b>here</b>',
      category: 'spam',
      forward: true,
    })
    const { id, created_at, target_account, ...rest } = created
    assert.match(id, /^\d+$/)
    assert.ok(Math.abs(Date.parse(created_at) - Date.now()) < 60_000)
    assert.equal(target_account.id, bob.accountId)
    assert.deepEqual(rest, {
      action_taken: false,
      action_taken_at: null,
      category: 'spam',
      comment: 'Look <b>here</b>',
      forwarded: false,
      status_ids: [statusId],
      rule_ids: [],
      collection_ids: [],
    })
    assert.doesNotMatch(JSON.stringify(created), new RegExp(alice.username))
  })

  test('has the requested category; rules, including removed rules, set it to violation', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const [rule, removedRule] = [await addRule('Be kind'), await addRule('Be brief', true)]
    for (const category of ['spam', 'legal', 'violation', 'other']) {
      const sent = await report(alice, { account_id: bob.accountId, category })
      assert.deepEqual([sent.category, sent.rule_ids], [category, []])
      const withRules = await report(alice, {
        account_id: bob.accountId,
        category,
        rule_ids: [removedRule, rule, rule],
      })
      assert.deepEqual([withRules.category, withRules.rule_ids], ['violation', [rule, removedRule]])
    }
    assert.equal((await report(alice, { account_id: bob.accountId, rule_ids: rule })).category, 'violation')
  })

  test('FP9: with an unknown rule gets 422 and is not recorded', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const rule = await addRule('Be kind')
    const text = 'Validation failed: Rule ids does not reference valid rules'
    for (const unknown of ['999999', 'x', '-1', '99999999999999999999999']) {
      const payload = { account_id: bob.accountId, category: 'violation', rule_ids: [rule, unknown] }
      const { status, body } = await alice.client.post('/api/v1/reports', payload)
      assert.deepEqual([status, body], [422, { error: text }], unknown)
    }
    const both = { account_id: bob.accountId, rule_ids: ['999999'], comment: 'x'.repeat(1_001) }
    const { body } = await alice.client.post('/api/v1/reports', both)
    assert.match(body.error, /Comment is too long .*, Rule ids does not reference valid rules$/)
    assert.equal(await countReports(bob), 0)
  })

  test('FP9, VI1, VI11: with a foreign or hidden status or collection gets the response of an unknown one', async () => {
    const [alice, bob, carol] = [
      await testServer.createUser(),
      await testServer.createUser(),
      await testServer.createUser(),
    ]
    const own = await post(bob)
    const deleted = await post(bob)
    await bob.client.delete(`/api/v1/statuses/${deleted}`)
    const hidden = [await post(bob, { visibility: 'private' }), await post(bob, { visibility: 'direct' })]
    const createCollection = async ({ accountId }: TestUser) =>
      (await db.insertInto('collections').values({ account_id: accountId, name: 'x' }).returning('id').execute())[0]!.id
    const [collection, foreign] = [await createCollection(bob), await createCollection(carol)]
    const expectNotFound = async (more: object) => {
      const { status, body } = await alice.client.post('/api/v1/reports', { account_id: bob.accountId, ...more })
      assert.deepEqual([status, body], [404, { error: 'Record not found' }], JSON.stringify(more))
    }
    for (const id of ['1', 'x', '99999999999999999999999', await post(carol), deleted, ...hidden]) {
      await expectNotFound({ status_ids: [own, id] })
    }
    for (const id of ['999999', 'x', foreign]) await expectNotFound({ collection_ids: [collection, id] })
    assert.equal(await countReports(bob), 0)
    const mentioning = await post(bob, { visibility: 'direct', status: `@${alice.username} you` })
    const created = await report(alice, {
      account_id: bob.accountId,
      status_ids: [mentioning, own, own],
      collection_ids: collection,
    })
    assert.deepEqual([created.status_ids, created.collection_ids], [[own, mentioning], [collection]])
  })

  test('about an unknown, hidden or suspended account or with a too long comment is rejected', async () => {
    const alice = await testServer.createUser()
    const hiddenUsers = [
      await testServer.createUser({ confirmed: false }),
      await testServer.createUser({ approved: false }),
      await testServer.createUser(),
    ]
    await suspend(testServer.ctx, hiddenUsers[2]!)
    for (const id of ['999999', 'x', ...hiddenUsers.map(({ accountId }) => accountId)]) {
      const { status, body } = await alice.client.post('/api/v1/reports', { account_id: id })
      assert.deepEqual([status, body], [404, { error: 'Record not found' }], id)
    }
    const bob = await testServer.createUser()
    const send = async (payload: object) => (await alice.client.post('/api/v1/reports', payload)).status
    assert.equal(await send({}), 400)
    assert.equal(await send({ account_id: bob.accountId, category: 'annoying' }), 422)
    const long = await alice.client.post('/api/v1/reports', { account_id: bob.accountId, comment: 'x'.repeat(1_001) })
    assert.equal(long.status, 422)
    const tooLong = 'Validation failed: Comment is too long (maximum is 1000 characters)'
    assert.deepEqual((long.body as { error: string }).error, tooLong)
    assert.equal((await report(alice, { account_id: bob.accountId, comment: '😀'.repeat(1_000) })).category, 'other')
    assert.equal((await testServer.anonymous.post('/api/v1/reports', { account_id: bob.accountId })).status, 401)
    const reader = await testServer.createUser({ scopes: 'read write:statuses' })
    assert.equal((await reader.client.post('/api/v1/reports', { account_id: bob.accountId })).status, 403)
  })

  test('can be filed with masto.js', async () => {
    const url = await testServer.listen()
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    const statusId = await post(bob)
    const masto = createRestAPIClient({ url, accessToken: alice.token })
    const created = await masto.v1.reports.create({
      accountId: bob.accountId,
      statusIds: [statusId],
      comment: 'by client',
      category: 'legal',
    })
    assert.deepEqual(
      [created.comment, created.category, created.targetAccount.id],
      ['by client', 'legal', bob.accountId],
    )
  })
})

suite('staff', () => {
  test('get one notification and one mail of an open report, other users none', async () => {
    // Reports from before the moderator existed notify nobody.
    await testServer.waitForJobs()
    const moderator = await testServer.createUser({ role: 'moderator' })
    const [alice, bob] = [await testServer.createUser({ username: 'alice_reports' }), await testServer.createUser()]
    const statusId = await post(bob)
    const evil = '</blockquote><script>alert(1)</script>\r\nBcc: victim@mail.test'
    const rule = await addRule('No <i>shouting</i>')
    const first = await report(alice, {
      account_id: bob.accountId,
      status_ids: [statusId],
      rule_ids: [rule],
      comment: evil,
    })
    await report(alice, { account_id: bob.accountId, comment: 'again' })
    const [notification, ...more] = await reportsTo(moderator)
    assert.equal(more.length, 0)
    assertEntity('Notification', notification)
    assert.deepEqual(
      [notification!.type, notification!.account.id, notification!.report],
      ['admin.report', alice.accountId, first],
    )
    const [mail, ...others] = await mailsTo(moderator)
    assert.equal(others.length, 0)
    // HT4, AC8: user input is escaped, and has no line breaks in the subject.
    assert.equal(mail!.subject, `New report about @${bob.username} on linnet.test`)
    assert.doesNotMatch(mail!.html, /<script|<i>/)
    assert.match(mail!.html, /&lt;script&gt;alert\(1\)/)
    assert.match(mail!.text, /^> Bcc: victim@mail\.test$/m)
    assert.match(mail!.text, /@alice_reports reported/)
    assert.match(mail!.text, /1 post was reported/)
    for (const user of [alice, bob]) {
      assert.deepEqual(await reportsTo(user), [])
      assert.deepEqual(await mailsTo(user), [])
    }
    await sql`update reports set action_taken_at = now() where target_account_id = ${bob.accountId}`.execute(db)
    await report(alice, { account_id: bob.accountId, comment: 'once more' })
    assert.deepEqual([(await reportsTo(moderator)).length, (await mailsTo(moderator)).length], [2, 2])
    // A user who is no longer staff sees no reports.
    await sql`update users set role_id = -99 where account_id = ${moderator.accountId}`.execute(db)
    assert.deepEqual(await reportsTo(moderator), [])
  })

  test('are notified of a report by an account that the moderator blocks', async () => {
    const moderator = await testServer.createUser({ role: 'moderator' })
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    await moderator.client.post(`/api/v1/accounts/${alice.accountId}/block`)
    await report(alice, { account_id: bob.accountId })
    assert.equal((await reportsTo(moderator)).length, 1)
  })

  test('VI19: do not see the reporter of a report about themselves', async () => {
    await sql`update users set role_id = -99`.execute(db)
    const [owner, moderator] = [
      await testServer.createUser({ role: 'owner' }),
      await testServer.createUser({ role: 'moderator' }),
    ]
    const alice = await testServer.createUser({ username: 'secret_alice' })
    await report(alice, { account_id: moderator.accountId })
    assert.deepEqual([await reportsTo(moderator), await mailsTo(moderator)], [[], []])
    assert.equal((await reportsTo(owner)).length, 1)
    assert.equal((await mailsTo(owner)).length, 1)
    await sql`update users set role_id = -99 where account_id = ${moderator.accountId}`.execute(db)
    await report(alice, { account_id: owner.accountId })
    assert.equal((await reportsTo(owner)).length, 1)
    const [, mail] = await mailsTo(owner)
    assert.match(mail!.text, /was reported/)
    assert.doesNotMatch(mail!.text + mail!.html + mail!.subject, /secret_alice/)
  })

  test('are notified once of concurrent reports about one account', async () => {
    await sql`update users set role_id = -99`.execute(db)
    const owner = await testServer.createUser({ role: 'owner' })
    const bob = await testServer.createUser()
    const users = await Promise.all(Array.from({ length: 8 }, async () => testServer.createUser()))
    await Promise.all(users.map(async (user) => report(user, { account_id: bob.accountId })))
    assert.deepEqual([(await reportsTo(owner)).length, (await mailsTo(owner)).length], [1, 1])
  })
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { assertOnWire } from '../../../../test/wire.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import type { Notification } from '../../../entities/notification.ts'
import type { Report } from '../../../entities/report.ts'
import type { Status } from '../../../entities/status.ts'

const world = await openWorld()
after(world.close)
const { db } = world.ctx

async function post(person: Person, more: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await person.client.post('/api/v1/statuses', { status: 'Something', ...more })
  assert.equal(status, 200)
  return (body as Status).id
}

async function report(person: Person, payload: Record<string, unknown>): Promise<Report> {
  const { status, body } = await person.client.post('/api/v1/reports', payload)
  assert.equal(status, 200, JSON.stringify(body))
  assertOnWire('Report', body)
  return body as Report
}

async function addRule(text: string, deleted = false): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into rules (text, deleted_at) values (${text}, ${deleted ? new Date() : null}) returning id`.execute(db)
  return rows[0]!.id
}

async function countReports({ accountId }: Person): Promise<number> {
  const reports = db.selectFrom('reports').select('id').where('target_account_id', '=', accountId)
  return (await reports.execute()).length
}

async function reportsTo(person: Person): Promise<Notification[]> {
  await world.settle()
  const { body } = await person.client.get('/api/v1/notifications', { types: ['admin.report'] })
  return body as Notification[]
}

async function lettersTo(person: Person): Promise<{ subject: string; text: string; html: string }[]> {
  await world.settle()
  const mails = world.ctx.db
    .selectFrom('mails')
    .select(['subject', 'text', 'html'])
    .where('recipient', '=', person.email)
  return mails.where('key', 'like', 'report:%').orderBy('id').execute()
}

suite('a report', () => {
  test('is answered with what was told, and never says who told it', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const statusId = await post(bob)
    const made = await report(alice, {
      account_id: bob.accountId,
      status_ids: [statusId],
      comment: 'Look <b>here</b>',
      category: 'spam',
      forward: true,
    })
    const { id, created_at, target_account, ...rest } = made
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
    assert.doesNotMatch(JSON.stringify(made), new RegExp(alice.username))
  })

  test('keeps the category that was sent; rules make it a violation, also rules that were withdrawn', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const [rule, former] = [await addRule('Be kind'), await addRule('Be brief', true)]
    for (const category of ['spam', 'legal', 'violation', 'other']) {
      const sent = await report(alice, { account_id: bob.accountId, category })
      assert.deepEqual([sent.category, sent.rule_ids], [category, []])
      const withRules = await report(alice, { account_id: bob.accountId, category, rule_ids: [former, rule, rule] })
      assert.deepEqual([withRules.category, withRules.rule_ids], ['violation', [rule, former]])
    }
    assert.equal((await report(alice, { account_id: bob.accountId, rule_ids: rule })).category, 'violation')
  })

  test('FP9: with an unknown rule is 422, and nothing is recorded', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
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

  test('VI1, VI11: with a status or a collection of another account, or a hidden one, is as with an unknown one', async () => {
    const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
    const own = await post(bob)
    const deleted = await post(bob)
    await bob.client.delete(`/api/v1/statuses/${deleted}`)
    const hidden = [await post(bob, { visibility: 'private' }), await post(bob, { visibility: 'direct' })]
    const make = async ({ accountId }: Person) =>
      (await db.insertInto('collections').values({ account_id: accountId, name: 'x' }).returning('id').execute())[0]!.id
    const [collection, foreign] = [await make(bob), await make(carol)]
    const refused = async (more: object) => {
      const { status, body } = await alice.client.post('/api/v1/reports', { account_id: bob.accountId, ...more })
      assert.deepEqual([status, body], [404, { error: 'Record not found' }], JSON.stringify(more))
    }
    for (const id of ['1', 'x', '99999999999999999999999', await post(carol), deleted, ...hidden]) {
      await refused({ status_ids: [own, id] })
    }
    for (const id of ['999999', 'x', foreign]) await refused({ collection_ids: [collection, id] })
    assert.equal(await countReports(bob), 0)
    const mentioning = await post(bob, { visibility: 'direct', status: `@${alice.username} you` })
    const made = await report(alice, {
      account_id: bob.accountId,
      status_ids: [mentioning, own, own],
      collection_ids: collection,
    })
    assert.deepEqual([made.status_ids, made.collection_ids], [[own, mentioning], [collection]])
  })

  test('is refused about nobody, about people who are not shown or are suspended, and with too long a comment', async () => {
    const alice = await world.createPerson()
    const unseen = [
      await world.createPerson({ confirmed: false }),
      await world.createPerson({ approved: false }),
      await world.createPerson(),
    ]
    await sql`update accounts set suspended_at = now() where id = ${unseen[2]!.accountId}`.execute(db)
    for (const id of ['999999', 'x', ...unseen.map(({ accountId }) => accountId)]) {
      const { status, body } = await alice.client.post('/api/v1/reports', { account_id: id })
      assert.deepEqual([status, body], [404, { error: 'Record not found' }], id)
    }
    const bob = await world.createPerson()
    const ask = async (payload: object) => (await alice.client.post('/api/v1/reports', payload)).status
    assert.equal(await ask({}), 400)
    assert.equal(await ask({ account_id: bob.accountId, category: 'annoying' }), 422)
    const long = await alice.client.post('/api/v1/reports', { account_id: bob.accountId, comment: 'x'.repeat(1_001) })
    assert.equal(long.status, 422)
    const tooLong = 'Validation failed: Comment is too long (maximum is 1000 characters)'
    assert.deepEqual((long.body as { error: string }).error, tooLong)
    assert.equal((await report(alice, { account_id: bob.accountId, comment: '😀'.repeat(1_000) })).category, 'other')
    assert.equal((await world.anonymous.post('/api/v1/reports', { account_id: bob.accountId })).status, 401)
    const reader = await world.createPerson({ scopes: 'read write:statuses' })
    assert.equal((await reader.client.post('/api/v1/reports', { account_id: bob.accountId })).status, 403)
  })

  test('masto.js reports', async () => {
    const url = await world.listen()
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    const statusId = await post(bob)
    const masto = createRestAPIClient({ url, accessToken: alice.token })
    const made = await masto.v1.reports.create({
      accountId: bob.accountId,
      statusIds: [statusId],
      comment: 'by client',
      category: 'legal',
    })
    assert.deepEqual([made.comment, made.category, made.targetAccount.id], ['by client', 'legal', bob.accountId])
  })
})

suite('the staff', () => {
  test('is told of a report by notification and letter, each once; nobody else is, until it is done with', async () => {
    // Reports from before there was staff are nobody's news.
    await world.settle()
    const moderator = await world.createPerson({ role: 'moderator' })
    const [alice, bob] = [await world.createPerson({ username: 'told_alice' }), await world.createPerson()]
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
    const [told, ...more] = await reportsTo(moderator)
    assert.equal(more.length, 0)
    assertOnWire('Notification', told)
    assert.deepEqual([told!.type, told!.account.id, told!.report], ['admin.report', alice.accountId, first])
    const [letter, ...others] = await lettersTo(moderator)
    assert.equal(others.length, 0)
    // HT4, AC8: what was typed is text, in one line where a line is meant.
    assert.equal(letter!.subject, `New report about @${bob.username} on linnet.test`)
    assert.doesNotMatch(letter!.html, /<script|<i>/)
    assert.match(letter!.html, /&lt;script&gt;alert\(1\)/)
    assert.match(letter!.text, /^> Bcc: victim@mail\.test$/m)
    assert.match(letter!.text, /@told_alice reported/)
    assert.match(letter!.text, /1 post was reported/)
    for (const person of [alice, bob]) {
      assert.deepEqual(await reportsTo(person), [])
      assert.deepEqual(await lettersTo(person), [])
    }
    await sql`update reports set action_taken_at = now() where target_account_id = ${bob.accountId}`.execute(db)
    await report(alice, { account_id: bob.accountId, comment: 'once more' })
    assert.deepEqual([(await reportsTo(moderator)).length, (await lettersTo(moderator)).length], [2, 2])
    // Who is of the staff no more sees no reports.
    await sql`update users set role_id = -99 where account_id = ${moderator.accountId}`.execute(db)
    assert.deepEqual(await reportsTo(moderator), [])
  })

  test('hears of a report also from somebody whom a moderator blocks', async () => {
    const moderator = await world.createPerson({ role: 'moderator' })
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    await moderator.client.post(`/api/v1/accounts/${alice.accountId}/block`)
    await report(alice, { account_id: bob.accountId })
    assert.equal((await reportsTo(moderator)).length, 1)
  })

  test('VI19: whom a report is about never learns who made it, also when they are of the staff', async () => {
    await sql`update users set role_id = -99`.execute(db)
    const [owner, moderator] = [
      await world.createPerson({ role: 'owner' }),
      await world.createPerson({ role: 'moderator' }),
    ]
    const alice = await world.createPerson({ username: 'secret_alice' })
    await report(alice, { account_id: moderator.accountId })
    assert.deepEqual([await reportsTo(moderator), await lettersTo(moderator)], [[], []])
    assert.equal((await reportsTo(owner)).length, 1)
    assert.equal((await lettersTo(owner)).length, 1)
    await sql`update users set role_id = -99 where account_id = ${moderator.accountId}`.execute(db)
    await report(alice, { account_id: owner.accountId })
    assert.equal((await reportsTo(owner)).length, 1)
    const [, about] = await lettersTo(owner)
    assert.match(about!.text, /was reported/)
    assert.doesNotMatch(about!.text + about!.html + about!.subject, /secret_alice/)
  })

  test('is told once of many reports about one account that are made at once', async () => {
    await sql`update users set role_id = -99`.execute(db)
    const owner = await world.createPerson({ role: 'owner' })
    const bob = await world.createPerson()
    const crowd = await Promise.all(Array.from({ length: 8 }, async () => world.createPerson()))
    await Promise.all(crowd.map(async (person) => report(person, { account_id: bob.accountId })))
    assert.deepEqual([(await reportsTo(owner)).length, (await lettersTo(owner)).length], [1, 1])
  })
})

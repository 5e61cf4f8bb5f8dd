import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import sharp from 'sharp'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'
import { multipart } from '../../../../../../test/http/client.ts'
import { permissionBit } from '../../../../../domain/access/permissions.ts'
import { submitAppeal } from '../../../../../domain/moderation/strikes/submit-appeal.ts'
import { warnAccount } from '../../../../../domain/moderation/accounts/warn-account.ts'
import type { AdminAppeal } from '../../../../../entities/admin/accounts/admin-appeal.ts'
import type { AdminStrike } from '../../../../../entities/admin/accounts/admin-strike.ts'

const PATH = '/api/v1/admin/appeals'
const ADMIN_SCOPES = 'read write admin:read admin:write'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const admin = await testServer.createUser({ role: 'admin', scopes: ADMIN_SCOPES })

async function strikesOf({ accountId }: TestUser, as = admin): Promise<AdminStrike[]> {
  const { status, body } = await as.client.get<AdminStrike[]>(`/api/v1/admin/accounts/${accountId}/strikes`)
  assert.equal(status, 200)
  for (const strike of body) assertEntity('AdminStrike', strike)
  return body
}

/** Takes an action against a user, who appeals. Returns the id of the appeal. */
async function appealAgainst(type: string, user: TestUser): Promise<string> {
  const { status } = await admin.client.post(`/api/v1/admin/accounts/${user.accountId}/action`, {
    type,
    text: 'Rules!',
  })
  assert.equal(status, 200)
  // The mail about the action precedes all later ones.
  await testServer.waitForJobs()
  return appeal(user)
}

/** Appeals against the newest strike of a user. */
async function appeal(user: TestUser): Promise<string> {
  const [strike] = await strikesOf(user)
  await ctx.write((tx) =>
    submitAppeal(tx, { accountId: user.accountId, strikeId: strike!.id, text: 'That was not me' }),
  )
  return (await strikesOf(user))[0]!.appeal!.id
}

async function get(id: string): Promise<AdminAppeal> {
  const { status, body } = await admin.client.get<AdminAppeal>(`${PATH}/${id}`)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminAppeal', body)
  return body
}

async function decide(id: string, decision: 'approve' | 'reject', as = admin): Promise<AdminAppeal> {
  const { status, body } = await as.client.post<AdminAppeal>(`${PATH}/${id}/${decision}`)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminAppeal', body)
  return body
}

async function mailsTo({ email }: TestUser): Promise<{ subject: string; text: string; html: string }[]> {
  await testServer.waitForJobs()
  return db
    .selectFrom('mails')
    .select(['subject', 'text', 'html'])
    .where('recipient', '=', email)
    .orderBy('id')
    .execute()
}

let roles = 50

async function createStaff(permission: 'manageAppeals' | 'manageUsers', position: number): Promise<TestUser> {
  const user = await testServer.createUser({ scopes: ADMIN_SCOPES })
  roles += 1
  const role = { id: String(roles), name: permission, position, permissions: String(permissionBit(permission)) }
  await db.insertInto('roles').values(role).execute()
  await db.updateTable('users').set({ role_id: role.id }).where('id', '=', user.userId).execute()
  return user
}

suite('an appeal', () => {
  test('is listed by its state with its strike, and notifies the staff who manage appeals', async () => {
    const [user, helper, outsider] = [
      await testServer.createUser(),
      await createStaff('manageAppeals', 5),
      await createStaff('manageUsers', 5),
    ]
    const [rejected, pending] = [await appealAgainst('none', user), await appealAgainst('silence', user)]
    const mails = await mailsTo(helper)
    assert.equal(mails.length, 2)
    assert.match(
      mails[1]!.text,
      /Decision: the account was limited[^]*> That was not me[^]*^https:.*\/admin\/appeals$/m,
    )
    assert.ok(mails[1]!.subject.includes(user.username))
    for (const other of [outsider, user])
      assert.ok((await mailsTo(other)).every(({ subject }) => !subject.includes('appeals')))
    await decide(rejected, 'reject')
    const idsOf = async (query: object = {}) =>
      (await admin.client.get<AdminAppeal[]>(PATH, { ...query })).body.map(({ id }) => id)
    assert.deepEqual((await idsOf()).slice(0, 2), [pending, rejected])
    assert.ok(!(await idsOf({ status: 'pending' })).includes(rejected))
    assert.deepEqual(await idsOf({ status: 'rejected' }), [rejected])
    assert.deepEqual(await idsOf({ status: 'approved' }), [])
    assert.equal((await admin.client.get(PATH, { status: 'x' })).status, 422)
    const { strike, ...rest } = await get(pending)
    assert.deepEqual(
      [
        rest.text,
        rest.state,
        rest.decided_at,
        rest.decided_by_account,
        strike.action,
        strike.text,
        strike.appeal?.state,
      ],
      ['That was not me', 'pending', null, null, 'silence', 'Rules!', 'pending'],
    )
    assert.deepEqual([strike.target_account.id, strike.account?.id], [user.accountId, admin.accountId])
    for (const path of [PATH, `${PATH}/${pending}`]) assert.equal((await outsider.client.get(path)).status, 403)
    assert.equal((await admin.client.get(`${PATH}/4711`)).status, 404)
  })

  const states = { disable: 'disabled', sensitive: 'sensitized', silence: 'silenced', suspend: 'suspended' } as const
  for (const [type, state] of Object.entries(states)) {
    test(`approved against ${type} undoes it, overrules the strike, and notifies the user by mail`, async () => {
      const user = await testServer.createUser()
      const id = await appealAgainst(type, user)
      const account = async () => (await admin.client.get(`/api/v1/admin/accounts/${user.accountId}`)).body
      assert.equal((await account())[state], true)
      const approved = await decide(id, 'approve')
      assert.equal((await account())[state], false)
      assert.deepEqual([approved.state, approved.decided_by_account?.id], ['approved', admin.accountId])
      assert.equal(approved.strike.overruled_at, approved.decided_at)
      const mail = (await mailsTo(user)).at(-1)!
      assert.match(mail.subject, /Your appeal was approved/)
      assert.match(mail.text, /no longer counts against your account/)
      assert.ok(mail.text.includes(`/settings/strikes/${approved.strike.id}`))
      // Suspended accounts get no notifications.
      if (type === 'suspend') return
      const { body } = await user.client.get('/api/v1/notifications', { types: ['moderation_warning'] })
      assertEntity('Notification', body[0])
      assert.deepEqual(body[0].moderation_warning.appeal, { text: 'That was not me', state: 'approved' })
    })
  }

  test('approved against a warning, or the deletion of posts that are purged, changes only the strike', async () => {
    const user = await testServer.createUser()
    for (const action of ['none', 'delete_statuses'] as const) {
      await ctx.write((tx) => warnAccount(tx, { by: null, targetAccountId: user.accountId, action, statusIds: ['1'] }))
      assert.equal((await decide(await appeal(user), 'approve')).state, 'approved')
      await testServer.waitForJobs()
    }
    assert.match((await mailsTo(user)).at(-1)!.text, /still stores are visible again/)
    assert.ok((await strikesOf(user)).every(({ overruled_at: at }) => at !== null))
  })

  test('approved against a deletion restores the posts that are still stored', async () => {
    const user = await testServer.createUser()
    const post = async () => (await user.client.post('/api/v1/statuses', { status: 'Mine' })).body.id as string
    const [restored, untouched, purged] = [await post(), await post(), await post()]
    const action = (type: string, ids: string[]) =>
      admin.client.post(`/api/v1/admin/accounts/${user.accountId}/statuses/action`, { type, status_ids: ids })
    assert.equal((await action('delete', [untouched])).status, 200)
    assert.equal((await action('delete', [restored, purged])).status, 200)
    await db.deleteFrom('statuses').where('id', '=', purged).execute()
    await decide(await appeal(user), 'approve')
    const states = [restored, untouched, purged].map(
      async (id) => (await user.client.get(`/api/v1/statuses/${id}`)).status,
    )
    assert.deepEqual(await Promise.all(states), [200, 404, 404])
    const entries = await db
      .selectFrom('audit_log_entries')
      .select(['target_id', 'account_id'])
      .where('action', '=', 'restore')
      .orderBy('id')
      .execute()
    assert.deepEqual(entries, [{ target_id: restored, account_id: admin.accountId }])
  })

  test('approved against a mark as sensitive shows the media of these statuses again', async () => {
    const user = await testServer.createUser()
    const pixels = { width: 8, height: 8, channels: 3 as const, background: 'teal' }
    const bytes = await sharp({ create: pixels }).png().toBuffer()
    const post = async (more: object) => {
      const form = await multipart({ file: { filename: 'x.png', type: 'image/png', bytes } })
      const { body: media } = await user.client.post('/api/v2/media', form.payload, form.headers)
      const payload = { status: 'Look', language: 'de', media_ids: [media.id], sensitive: true, ...more }
      return (await user.client.post('/api/v1/statuses', payload)).body.id as string
    }
    const [marked, warned, untouched] = [await post({}), await post({ spoiler_text: 'Spider' }), await post({})]
    const statusIds = [marked, warned, '4711']
    const warning = {
      by: null,
      targetAccountId: user.accountId,
      action: 'mark_statuses_as_sensitive',
      statusIds,
    } as const
    await ctx.write((tx) => warnAccount(tx, warning))
    await decide(await appeal(user), 'approve')
    const sensitive = async (id: string) => (await user.client.get(`/api/v1/statuses/${id}`)).body.sensitive
    assert.deepEqual(
      [await sensitive(marked), await sensitive(warned), await sensitive(untouched)],
      [false, true, true],
    )
    const { body: status } = await user.client.get(`/api/v1/statuses/${marked}`)
    assert.deepEqual([status.language, status.media_attachments.length, status.edited_at !== null], ['de', 1, true])
  })

  test('rejected changes nothing, and notifies the user by mail', async () => {
    const user = await testServer.createUser()
    const rejected = await decide(await appealAgainst('silence', user), 'reject')
    assert.deepEqual([rejected.state, rejected.strike.overruled_at], ['rejected', null])
    const { body: account } = await admin.client.get(`/api/v1/admin/accounts/${user.accountId}`)
    assert.equal(account.silenced, true)
    assert.match((await mailsTo(user)).at(-1)!.subject, /Your appeal was rejected/)
  })

  test('is decided once, and each decision is in the audit log', async () => {
    const user = await testServer.createUser()
    const [first, second] = [await appealAgainst('silence', user), await appealAgainst('none', user)]
    await decide(first, 'approve')
    await decide(second, 'reject')
    for (const id of [first, second]) {
      for (const decision of ['approve', 'reject'])
        assert.equal((await admin.client.post(`${PATH}/${id}/${decision}`)).status, 403)
    }
    assert.equal((await admin.client.post(`${PATH}/4711/approve`)).status, 404)
    const entries = await db
      .selectFrom('audit_log_entries')
      .select(['action', 'label', 'account_id', 'target_id', 'details'])
      .where('target_type', '=', 'appeal')
      .where('label', '=', user.username)
      .orderBy('id')
      .execute()
    const [approval, rejection] = entries
    assert.deepEqual([approval!.action, approval!.target_id, approval!.account_id], ['approve', first, admin.accountId])
    assert.deepEqual([rejection!.action, rejection!.target_id, entries.length], ['reject', second, 2])
    assert.equal((approval!.details as { strike_action: string }).strike_action, 'silence')
  })

  test('AD1: of a user whose role has the same or a higher position is decided by others', async () => {
    const [helper, equal] = [await createStaff('manageAppeals', 6), await createStaff('manageAppeals', 6)]
    const user = await testServer.createUser({ role: 'moderator' })
    for (const target of [user, equal, helper]) {
      const id = await appealAgainst('silence', target)
      for (const decision of ['approve', 'reject'])
        assert.equal((await helper.client.post(`${PATH}/${id}/${decision}`)).status, 403)
      assert.equal((await get(id)).state, 'pending')
      await decide(id, 'approve')
    }
    assert.ok((await mailsTo(helper)).every(({ subject }) => !subject.startsWith(`@${helper.username} appeals`)))
    const ordinary = await testServer.createUser()
    await decide(await appealAgainst('none', ordinary), 'reject', helper)
  })
})

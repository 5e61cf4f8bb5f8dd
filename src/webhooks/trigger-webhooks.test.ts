import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { limit } from '../../test/features/moderation.ts'
import { createRemoteAccount, createRemoteStatus } from '../../test/federation/remote-records.ts'
import { assertEntity } from '../../test/http/entities/entity-schemas.ts'
import { openWebhookServer } from '../../test/services/webhook-server.ts'
import { permissionBit } from '../domain/access/permissions.ts'
import { approvePendingAccount } from '../domain/moderation/accounts/moderate-account.ts'
import { triggerReportUpdated, triggerStatusesCreated } from './trigger-webhooks.ts'

const webhooks = await openWebhookServer()
after(webhooks.close)
const { testServer, staff, create, received, deliveriesOf } = webhooks
const { ctx } = testServer

/** Creates a webhook; returns a function that runs the jobs and returns the events since the last call. */
async function subscribe(path: string, events: string[], by = staff) {
  await testServer.waitForJobs()
  const { id, secret } = await create(path, events, by)
  let count = 0
  const next = async () => {
    await testServer.waitForJobs()
    const all = received(path, secret)
    const added = all.slice(count)
    count = all.length
    return added
  }
  return { id, next }
}

suite('webhooks receive', () => {
  test('new and edited local posts of every visibility, and boosts, but none of other servers', async () => {
    const author = await testServer.createUser()
    const { next } = await subscribe('/statuses', ['status.created', 'status.updated'])
    const ids: string[] = []
    for (const visibility of ['public', 'unlisted', 'private', 'direct']) {
      const { body } = await author.client.post('/api/v1/statuses', { status: `Hello ${visibility}`, visibility })
      ids.push(body.id)
    }
    const remoteId = await createRemoteStatus(ctx, { accountId: await createRemoteAccount(ctx) })
    await ctx.write(async (tx) => tx.emit('status.created', { statusId: remoteId }))
    const created = await next()
    assert.deepEqual(
      created.map(({ event, object }) => `${event} ${object.id}`).toSorted(),
      ids.map((id) => `status.created ${id}`),
    )
    for (const { object, created_at: createdAt } of created) {
      assertEntity('Status', object)
      assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
    }

    const { body: reblog } = await author.client.post(`/api/v1/statuses/${ids[0]}/reblog`)
    const [boosted] = await next()
    assert.deepEqual(
      [boosted?.event, boosted?.object.id, boosted?.object.reblog.id],
      ['status.created', reblog.id, ids[0]],
    )

    for (const status of ['Hello again', 'Goodbye']) {
      assert.equal((await author.client.put(`/api/v1/statuses/${ids[0]}`, { status })).status, 200)
      const [edited, ...others] = await next()
      assert.deepEqual([edited?.event, edited?.object.id, others.length], ['status.updated', ids[0], 0])
      assert.match(edited!.object.content, new RegExp(status))
    }
    await author.client.delete(`/api/v1/statuses/${ids[1]}`)
    assert.deepEqual(await next(), [])
  })

  test('an event once, also if its effect runs again', async () => {
    const author = await testServer.createUser()
    const { id, next } = await subscribe('/once', ['status.created'])
    const { body } = await author.client.post('/api/v1/statuses', { status: 'Once' })
    assert.equal((await next()).length, 1)
    await triggerStatusesCreated(ctx, [{ statusId: body.id }])
    assert.deepEqual(await next(), [])
    assert.equal((await deliveriesOf(id)).length, 1)
  })

  test('sign-ups, their approval after the confirmation, and changes of accounts', async () => {
    const { next } = await subscribe('/accounts', ['account.created', 'account.approved', 'account.updated'])
    const pending = await testServer.createUser({ approved: false })
    const [created, ...none] = await next()
    assertEntity('AdminAccount', created!.object)
    assert.deepEqual([created?.event, created?.object.id, none.length], ['account.created', pending.accountId, 0])
    assert.deepEqual([created?.object.email, created?.object.approved], [pending.email, false])
    await ctx.write((tx) => approvePendingAccount(tx, { accountId: pending.accountId, by: null }))
    const approved = await next()
    assert.deepEqual(
      approved.map(({ event, object }) => [event, object.approved]),
      [['account.approved', true]],
    )

    const unconfirmed = await testServer.createUser({ confirmed: false })
    assert.deepEqual(
      (await next()).map(({ event }) => event),
      ['account.created'],
    )
    await ctx.db.updateTable('users').set({ confirmed_at: new Date() }).where('id', '=', unconfirmed.userId).execute()
    await ctx.write(async (tx) => tx.emit('account.confirmed', { accountId: unconfirmed.accountId }))
    assert.deepEqual(
      (await next()).map(({ event }) => event),
      ['account.approved'],
    )

    await pending.client.patch('/api/v1/accounts/update_credentials', { display_name: 'New name' })
    const [renamed] = await next()
    assert.deepEqual([renamed?.event, renamed?.object.account.display_name], ['account.updated', 'New name'])
    await limit(ctx, pending)
    assert.deepEqual(
      (await next()).map(({ event, object }) => [event, object.silenced]),
      [['account.updated', true]],
    )
    const suspension = { type: 'suspend', send_email_notification: false }
    const path = `/api/v1/admin/accounts/${pending.accountId}/action`
    assert.equal((await staff.client.post(path, suspension)).status, 200)
    assert.deepEqual(
      (await next()).map(({ event, object }) => [event, object.suspended]),
      [['account.updated', true]],
    )
    await limit(ctx, { accountId: await createRemoteAccount(ctx) })
    assert.deepEqual(await next(), [])
  })

  test('new and changed reports', async () => {
    const [reporter, target] = [await testServer.createUser(), await testServer.createUser()]
    const { next } = await subscribe('/reports', ['report.created', 'report.updated'])
    const { body } = await reporter.client.post('/api/v1/reports', { account_id: target.accountId, comment: 'Look' })
    const [created] = await next()
    assertEntity('AdminReport', created!.object)
    assert.deepEqual([created?.event, created?.object.id, created?.object.comment], ['report.created', body.id, 'Look'])
    for (const action of ['assign_to_self', 'unassign', 'assign_to_self', 'resolve', 'reopen']) {
      await staff.client.post(`/api/v1/admin/reports/${body.id}/${action}`)
      const events = await next()
      assert.deepEqual(
        events.map(({ event, object }) => [event, object.id]),
        [['report.updated', body.id]],
        action,
      )
    }
    await triggerReportUpdated(ctx, { reportId: body.id })
    assert.deepEqual(await next(), [])
    const action = { type: 'silence', send_email_notification: false }
    await staff.client.post(`/api/v1/admin/accounts/${target.accountId}/action`, action)
    assert.deepEqual(
      (await next()).map(({ object }) => object.action_taken),
      [true],
    )
  })

  test('nothing while they are disabled, and only the events that they subscribe to', async () => {
    const author = await testServer.createUser()
    const { id, next } = await subscribe('/disabled', ['status.updated'])
    await author.client.post('/api/v1/statuses', { status: 'Created only' })
    assert.deepEqual(await next(), [])
    const path = `/api/v1/admin/webhooks/${id}`
    assert.equal((await staff.client.put(path, { events: ['status.created'] })).status, 200)
    assert.equal((await staff.client.post(`${path}/disable`)).body.enabled, false)
    await author.client.post('/api/v1/statuses', { status: 'While disabled' })
    assert.deepEqual(await next(), [])
    assert.equal((await staff.client.post(`${path}/enable`)).body.enabled, true)
    await author.client.post('/api/v1/statuses', { status: 'While enabled' })
    assert.deepEqual(
      (await next()).map(({ object }) => object.content),
      ['<p>While enabled</p>'],
    )
  })
})

test('AD3 a webhook receives only what the role of its staff member permits at the moment', async () => {
  const author = await testServer.createUser()
  const permissions = permissionBit('manageWebhooks') | permissionBit('manageReports') | permissionBit('devops')
  const role = await ctx.db
    .insertInto('roles')
    .values({ id: '60', name: 'Operator', position: 6, permissions: String(permissions) })
    .returning('id')
    .executeTakeFirstOrThrow()
  const operator = await testServer.createUser({ scopes: 'admin:read admin:write' })
  const setRole = (id: string) =>
    ctx.db.updateTable('users').set({ role_id: id }).where('id', '=', operator.userId).execute()
  await setRole(role.id)
  const { id, next } = await subscribe('/operator', ['report.created', 'status.created'], operator)
  await author.client.post('/api/v1/reports', { account_id: staff.accountId })
  const [report] = await next()
  assert.equal(report?.object.target_account.email, null)

  const user = await ctx.db
    .selectFrom('users')
    .select('role_id')
    .where('id', '=', author.userId)
    .executeTakeFirstOrThrow()
  await setRole(user.role_id)
  await author.client.post('/api/v1/statuses', { status: 'After the demotion' })
  assert.deepEqual(await next(), [])
  const path = `/api/v1/admin/webhooks/${id}`
  assert.deepEqual((await staff.client.get(path)).body.unpermitted_events, ['report.created', 'status.created'])
  const saved = await staff.client.put(path, {})
  assert.deepEqual([saved.body.account_id, saved.body.unpermitted_events], [staff.accountId, []])
  await author.client.post('/api/v1/statuses', { status: 'After another member of the staff saved it' })
  assert.equal((await next()).length, 1)
})

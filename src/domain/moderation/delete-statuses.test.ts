import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'
import { NotFound } from '../../lib/errors.ts'
import { deleteStatusesAsStaff } from './delete-statuses.ts'
import { warnAccount } from './warn-account.ts'

const world = await openWorld()
after(world.close)
const { ctx } = world

const lettersTo = async (email: string) =>
  ctx.db.selectFrom('mails').select(['subject', 'text']).where('recipient', '=', email).execute()

test('whose posts the staff deletes is told once which ones and why, by notification and by letter', async () => {
  const [alice, bob, staff] = await Promise.all([
    world.createPerson(),
    world.createPerson(),
    world.createPerson({ role: 'moderator' }),
  ])
  const post = async (status: string): Promise<string> =>
    (await alice.client.post('/api/v1/statuses', { status })).body.id
  const statusIds = [await post('one'), await post('two')]
  const kept = await post('three')
  const theirs = (await bob.client.post('/api/v1/statuses', { status: 'four' })).body.id
  await ctx.write((tx) =>
    deleteStatusesAsStaff(tx, {
      by: staff.accountId,
      statusIds: [...statusIds, theirs, '1'],
      text: 'Not here, please',
    }),
  )
  await world.settle()
  for (const id of [...statusIds, theirs]) assert.equal((await alice.client.get(`/api/v1/statuses/${id}`)).status, 404)
  assert.equal((await alice.client.get(`/api/v1/statuses/${kept}`)).status, 200)
  const { body } = await alice.client.get('/api/v1/notifications')
  assert.equal(body.length, 1)
  assertOnWire('Notification', body[0])
  const { type, account, moderation_warning: warning } = body[0]
  assert.deepEqual([type, account.id], ['moderation_warning', alice.accountId])
  assert.deepEqual(
    [warning.action, warning.text, warning.status_ids, warning.target_account.id, warning.appeal],
    ['delete_statuses', 'Not here, please', statusIds, alice.accountId, null],
  )
  const grouped = await alice.client.get('/api/v2/notifications')
  assertOnWire('GroupedNotificationsResults', grouped.body)
  assert.deepEqual(grouped.body.notification_groups[0].moderation_warning, warning)
  const [letter, ...more] = await lettersTo(alice.email)
  assert.equal(more.length, 0)
  assert.match(letter!.subject, /^Some of your posts were removed/)
  assert.match(letter!.text, /This is about 2 posts\.[\s\S]*> Not here, please/)
  assert.equal((await lettersTo(bob.email)).length, 1)
})

test('nothing is deleted, and nobody told, where there is nothing', async () => {
  await assert.rejects(
    ctx.write((tx) => deleteStatusesAsStaff(tx, { by: null, statusIds: ['1', 'x'] })),
    NotFound,
  )
})

test('a word of the staff is told without any of their names, and not at all when they say so', async () => {
  const [alice, staff] = await Promise.all([world.createPerson(), world.createPerson({ role: 'moderator' })])
  const warning = { by: staff.accountId, targetAccountId: alice.accountId, action: 'none', text: 'Be kind' } as const
  await ctx.write((tx) => warnAccount(tx, { ...warning, tellThem: false }))
  await ctx.write((tx) => warnAccount(tx, warning))
  await world.settle()
  const { body } = await alice.client.get('/api/v1/notifications')
  assert.equal(body.length, 1)
  assert.ok(!JSON.stringify(body).includes(staff.username))
  assert.equal((await lettersTo(alice.email)).length, 1)
})

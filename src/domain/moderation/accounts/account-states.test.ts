import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HOST, remoteAccountRecord, uniqueName } from '../../../../test/federation/remote-records.ts'
import { disable, enable, limit, suspend, unlimit, unsuspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Account } from '../../../entities/accounts/account.ts'
import { NotFoundError } from '../../../lib/errors.ts'
import { recordRemoteAccount } from '../../accounts/remote/record-remote-account.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

const EARLIER = new Date('2026-01-02T03:04:05Z')

const readAccount = (id: string) =>
  ctx.db
    .selectFrom('accounts')
    .select(['silenced_at', 'suspended_at', 'suspended_by_origin', 'version', 'updated_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()

const fetchAccount = async ({ accountId }: TestUser) =>
  (await testServer.anonymous.get(`/api/v1/accounts/${accountId}`)).body

test('an account is limited until it is unlimited, and each change raises its version once', async () => {
  const user = await testServer.createUser()
  const { version } = await readAccount(user.accountId)
  await limit(ctx, user)
  const limited = await readAccount(user.accountId)
  await limit(ctx, user)
  assert.deepEqual(await readAccount(user.accountId), limited)
  assert.equal((await fetchAccount(user)).limited, true)
  for (let n = 0; n < 2; n += 1) await unlimit(ctx, user)
  const after = await readAccount(user.accountId)
  assert.deepEqual([limited.version, after.version, after.silenced_at], [version + 1, version + 2, null])
  assert.ok(!('limited' in (await fetchAccount(user))))
})

test('an account is suspended until it is unsuspended, and keeps the time of the first suspension', async () => {
  const user = await testServer.createUser()
  const { version } = await readAccount(user.accountId)
  await suspend(ctx, user, { at: EARLIER })
  await suspend(ctx, user)
  const suspended = await readAccount(user.accountId)
  assert.deepEqual([suspended.suspended_at, suspended.updated_at, suspended.version], [EARLIER, EARLIER, version + 1])
  assert.equal((await fetchAccount(user)).suspended, true)
  for (let n = 0; n < 2; n += 1) await unsuspend(ctx, user)
  const after = await readAccount(user.accountId)
  assert.deepEqual([after.suspended_at, after.version], [null, version + 2])
  assert.ok(after.updated_at > EARLIER)
})

test('a suspended account is shown without texts, images, emojis and the account that it moved to', async () => {
  const name = uniqueName('moved')
  const target = remoteAccountRecord(uniqueName('target'))
  const facts = remoteAccountRecord(name, {
    displayName: 'A :cat:',
    note: '<p>:cat:</p>',
    fields: [{ name: 'Web', value: ':cat:' }],
    avatar: { url: `${HOST}/a.png`, description: 'A face' },
    emojis: [{ uri: null, shortcode: 'cat', imageUrl: `${HOST}/cat.png`, updatedAt: null }],
    movedTo: target.uri,
  })
  await ctx.write((tx) => recordRemoteAccount(tx, target))
  const { accountId } = await ctx.write((tx) => recordRemoteAccount(tx, facts))
  const staff = await testServer.createUser({ role: 'admin', scopes: 'admin:read' })
  const read = async () => {
    const { body } = await testServer.anonymous.get<Account>(`/api/v1/accounts/${accountId}`)
    const { body: forStaff } = await staff.client.get(`/api/v1/admin/accounts/${accountId}`)
    assert.deepEqual(forStaff.account, body)
    return body
  }
  const before = await read()
  assert.deepEqual([before.emojis.length, before.moved?.uri], [1, target.uri])
  await suspend(ctx, { accountId })
  const { display_name, note, avatar_description, fields, emojis, moved, avatar } = await read()
  assert.deepEqual([display_name, note, avatar_description], ['', '', ''])
  assert.deepEqual([fields, emojis, moved], [[], [], null])
  assert.match(avatar, /missing\.png$/)
  await unsuspend(ctx, { accountId })
  assert.deepEqual(await read(), before)
})

test('a suspension by the account’s own server stays, and the staff can make it their own', async () => {
  const name = uniqueName('remote')
  const record = (suspended: boolean) =>
    ctx.write((tx) => recordRemoteAccount(tx, remoteAccountRecord(name, { suspended })))
  const { accountId } = await record(true)
  const isSuspended = async () => (await readAccount(accountId)).suspended_at !== null
  const before = await readAccount(accountId)
  await unsuspend(ctx, { accountId })
  assert.deepEqual(await readAccount(accountId), before)
  await suspend(ctx, { accountId })
  await record(false)
  assert.equal(await isSuspended(), true)
  await unsuspend(ctx, { accountId })
  assert.equal(await isSuspended(), false)
})

test('a disabled user cannot use the API until the user is enabled', async () => {
  const user = await testServer.createUser()
  const path = '/api/v1/accounts/verify_credentials'
  const disabledAt = async () =>
    (await ctx.db.selectFrom('users').select('disabled_at').where('id', '=', user.userId).executeTakeFirstOrThrow())
      .disabled_at
  await disable(ctx, user)
  const first = await disabledAt()
  await disable(ctx, user)
  assert.deepEqual(await disabledAt(), first)
  assert.equal((await user.client.get(path)).status, 403)
  for (let n = 0; n < 2; n += 1) await enable(ctx, user)
  assert.equal((await user.client.get(path)).status, 200)
  assert.equal((await fetchAccount(user)).id, user.accountId)
})

test('unknown accounts and users are not found', async () => {
  const unknown = { accountId: '999999999', userId: '999999999' }
  for (const action of [limit, unlimit, suspend, unsuspend, disable, enable]) {
    await assert.rejects(action(ctx, unknown), NotFoundError)
  }
})

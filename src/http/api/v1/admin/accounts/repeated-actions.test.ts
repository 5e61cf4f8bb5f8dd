import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../../test/servers/test-server.ts'

const PATH = '/api/v1/admin/accounts'

const testServer = await openTestServer()
after(testServer.close)
const [moderator, second] = [await createModerator(), await createModerator()]

function createModerator(): Promise<TestUser> {
  return testServer.createUser({ role: 'moderator', scopes: 'read write admin:read admin:write' })
}

async function act(type: string, { accountId }: TestUser, more: object = {}, by = moderator): Promise<void> {
  const { status, body } = await by.client.post(`${PATH}/${accountId}/action`, { type, ...more })
  assert.deepEqual([status, body], [200, {}])
}

async function undo(path: string, { accountId }: TestUser, payload: object = {}): Promise<void> {
  const { status, body } = await moderator.client.post(`${PATH}/${accountId}/${path}`, payload)
  assert.equal(status, 200, JSON.stringify(body))
}

async function report(target: TestUser): Promise<string> {
  return (await second.client.post('/api/v1/reports', { account_id: target.accountId })).body.id
}

const isResolved = async (id: string): Promise<boolean> =>
  (await moderator.client.get(`/api/v1/admin/reports/${id}`)).body.action_taken

/** Returns the numbers of strikes and of mails about them, and the actions of the audit log, sorted. */
async function tracesOf(user: TestUser): Promise<[strikes: number, mails: number, actions: string[]]> {
  await testServer.waitForJobs()
  const { db } = testServer.ctx
  const { body: strikes } = await moderator.client.get(`${PATH}/${user.accountId}/strikes`)
  const mails = await db.selectFrom('mails').select('id').where('recipient', '=', user.email).execute()
  const entries = db.selectFrom('audit_log_entries').select('action').where('target_id', '=', user.accountId)
  const actions = await entries.where('target_type', '=', 'account').execute()
  return [strikes.length, mails.length, actions.map(({ action }) => action).toSorted()]
}

suite('a moderation action', () => {
  test('that is repeated, also by another moderator, and an undo without a change leave no trace', async () => {
    const user = await testServer.createUser()
    await Promise.all([
      act('silence', user, { text: 'Stop' }),
      act('silence', user, { text: 'Enough' }, second),
      act('suspend', user),
      act('suspend', user),
    ])
    assert.deepEqual(await tracesOf(user), [2, 2, ['silence', 'suspend']])
    for (const path of ['unsuspend', 'unsilence', 'unsilence', 'unsensitive', 'enable']) await undo(path, user)
    assert.deepEqual(await tracesOf(user), [2, 2, ['silence', 'suspend', 'unsilence', 'unsuspend']])
  })

  test('that changes nothing still resolves the reports', async () => {
    const user = await testServer.createUser()
    await act('silence', user)
    const id = await report(user)
    await act('silence', user, { report_id: id })
    assert.equal(await isResolved(id), true)
    assert.deepEqual(await tracesOf(user), [1, 1, ['silence']])
  })

  test('is undone with the reports that it resolved, and no others', async () => {
    const user = await testServer.createUser()
    const ids = [await report(user), await report(user), await report(user)] as const
    assert.equal((await moderator.client.post(`/api/v1/admin/reports/${ids[0]}/resolve`)).status, 200)
    await act('sensitive', user, { report_id: ids[1] })
    await act('suspend', user)
    await undo('unsuspend', user)
    assert.deepEqual(await Promise.all(ids.map(isResolved)), [true, true, true])
    await undo('unsensitive', user, { reopen_reports: true })
    assert.deepEqual(await Promise.all(ids.map(isResolved)), [true, false, false])
  })

  test('none, repeated by the same moderator with the same text and report at once, is one warning', async () => {
    const user = await testServer.createUser()
    await Promise.all([act('none', user, { text: 'Stop' }), act('none', user, { text: ' Stop ' })])
    assert.deepEqual(await tracesOf(user), [1, 1, ['warn']])
    await act('none', user, { text: 'Stop', report_id: await report(user) })
    await act('none', user, { text: 'Stop now' })
    assert.deepEqual(await tracesOf(user), [3, 3, ['warn', 'warn', 'warn']])
  })
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { urlOf } from '../../../test/servers/linnet-process.ts'
import { runCommand } from '../../../test/run-command.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import type { Notification } from '../../entities/notifications/notification.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx, connection } = testServer

const env = { DATA_DIR: ctx.config.dataDir, DATABASE_URL: urlOf(connection), LOCAL_DOMAIN: 'linnet.test' }
const remove = (...args: string[]) => runCommand(['statuses', 'delete', ...args], env)
const post = async ({ client }: TestUser): Promise<string> =>
  (await client.post('/api/v1/statuses', { status: 'words' })).body.id

test('statuses that staff deletes are deleted for all users; the author is notified with the reason', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const [first, second, kept] = [await post(alice), await post(alice), await post(alice)]
  for (const action of ['favourite', 'bookmark']) await bob.client.post(`/api/v1/statuses/${first}/${action}`)
  const { code, stdout, stderr } = await remove(first, second, '7', '--reason', 'Not here, please')
  assert.deepEqual([code, stdout, stderr], [0, 'Deleted: 2\n', ''])
  await testServer.waitForJobs()
  for (const { client } of [alice, bob]) {
    const statuses = await Promise.all(
      [first, second, kept].map(async (id) => (await client.get(`/api/v1/statuses/${id}`)).status),
    )
    assert.deepEqual(statuses, [404, 404, 200])
  }
  for (const list of ['favourites', 'bookmarks']) {
    const { status, body } = await bob.client.get(`/api/v1/${list}`)
    assert.deepEqual([status, body], [200, []])
  }
  const { body } = await alice.client.get<Notification[]>('/api/v1/notifications')
  const warnings = body.filter(({ type }) => type === 'moderation_warning')
  assert.deepEqual(
    warnings.map(({ moderation_warning: one }) => [one?.action, one?.text, one?.status_ids]),
    [['delete_statuses', 'Not here, please', [first, second]]],
  )
  assert.deepEqual((await bob.client.get('/api/v1/notifications')).body, [])
})

test('a missing status is reported in one line', async () => {
  const { code, stdout, stderr } = await remove('7', 'x')
  assert.deepEqual([code, stdout], [1, ''])
  assert.equal(stderr, 'There is no post 7, x\n')
})

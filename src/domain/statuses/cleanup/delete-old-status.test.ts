import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import sharp from 'sharp'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import { uploadFile } from '../../../../test/http/upload-file.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Account } from '../../../entities/accounts/account.ts'
import type { Status } from '../../../entities/statuses/status.ts'
import type { Ctx } from '../../context.ts'
import { importStatus } from '../write/import-status.ts'
import { readCleanupPolicy, saveCleanupPolicy } from './cleanup-policy.ts'
import type { CleanupPolicy } from './cleanup-policy.ts'
import { deleteOldStatus } from './delete-old-status.ts'

const WEEK_MS = 7 * 86_400_000
const fediverse = await openFediverse({ hosts: ['remote.test'] })
after(fediverse.close)
const { testServer, peer, uriOf, deliver } = fediverse
const { ctx } = testServer
const { db } = ctx
const remote = peer.host('remote.test')
const { keys } = await remote.createActor('first')

// The deletion sees a later time. Deliveries do not, since other servers would refuse their signatures.
const later = () => new Date(Date.now() + 2 * WEEK_MS)
const laterCtx: Ctx = { ...ctx, now: later, write: (work) => ctx.write((tx) => work({ ...tx, now: later() })) }

async function createAuthor(changes: Partial<CleanupPolicy> = {}): Promise<TestUser> {
  const user = await testServer.createUser()
  await choose(user, { enabled: true, ...changes })
  return user
}

async function choose({ userId }: TestUser, changes: Partial<CleanupPolicy>): Promise<void> {
  const policy = { ...(await readCleanupPolicy(ctx, { userId })), minAgeSeconds: WEEK_MS / 1_000, ...changes }
  await ctx.write((tx) => saveCleanupPolicy(tx, { userId, policy }))
}

async function act({ client }: TestUser, path: string, body: object = {}): Promise<Status> {
  const { status, body: answer } = await client.post<Status>(path, body)
  assert.equal(status, 200, JSON.stringify(answer))
  return answer
}

async function clean({ accountId }: TestUser, statusId: string): Promise<void> {
  await testServer.waitForJobs()
  await deleteOldStatus(laterCtx, { accountId, statusId })
  await testServer.waitForJobs()
}

const codeOf = async ({ client }: TestUser, { id }: Pick<Status, 'id'>) =>
  (await client.get(`/api/v1/statuses/${id}`)).status
const statusesOf = async ({ client, accountId }: TestUser) =>
  (await client.get<Account>(`/api/v1/accounts/${accountId}`)).body.statuses_count

suite('the automated deletion of an old post', () => {
  test('is like a deletion by the user: for readers, in counters, with its media and on other servers', async () => {
    const [ada, ben] = [await createAuthor(), await testServer.createUser()]
    const fan = await remote.createActor('fan', { keys })
    await deliver(fan, fan.activity('Follow', uriOf(ada)))
    const png = await sharp({ create: { width: 4, height: 3, channels: 3, background: '#2b7a78' } })
      .png()
      .toBuffer()
    const media = (await uploadFile(ada, png)).body
    const post = await act(ada, '/api/v1/statuses', { status: 'Old #news', media_ids: [media.id] })
    const reply = await act(ben, '/api/v1/statuses', { status: 'Indeed', in_reply_to_id: post.id })
    await act(ben, `/api/v1/statuses/${post.id}/reblog`)
    assert.deepEqual([await statusesOf(ada), await statusesOf(ben)], [1, 2])
    await clean(ada, post.id)
    assert.deepEqual([await codeOf(ada, post), await codeOf(ben, post), await codeOf(ben, reply)], [404, 404, 200])
    assert.deepEqual([await statusesOf(ada), await statusesOf(ben)], [0, 1])
    const timeline = await ben.client.get<Status[]>('/api/v1/timelines/tag/news')
    assert.deepEqual(timeline.body, [])
    assert.equal((await testServer.server.inject({ url: new URL(media.url!).pathname })).statusCode, 404)
    const deletes = fan.inbox.all('Delete')
    assert.deepEqual(
      deletes.map(({ object }) => object.id),
      [post.uri],
    )
    await clean(ada, post.id)
    assert.equal(fan.inbox.all('Delete').length, 1, 'a job that runs again does nothing')
  })

  test('undoes an old boost, also of a post that an exception would keep, and leaves the post alone', async () => {
    const [ada, ben] = [await createAuthor({ minReblogs: 1 }), await testServer.createUser()]
    const fan = await remote.createActor('reader', { keys })
    await deliver(fan, fan.activity('Follow', uriOf(ada)))
    const post = await act(ben, '/api/v1/statuses', { status: 'Look' })
    await act(ada, `/api/v1/statuses/${post.id}/favourite`)
    const boost = await act(ada, `/api/v1/statuses/${post.id}/reblog`)
    await clean(ada, boost.id)
    const { status, body } = await ada.client.get<Status>(`/api/v1/statuses/${post.id}`)
    assert.deepEqual([status, body.reblogs_count, body.reblogged, body.favourited], [200, 0, false, true])
    assert.deepEqual(
      fan.inbox.all('Undo').map(({ object }) => [object.type, object.object]),
      [['Announce', post.uri]],
    )
  })

  test('does not happen if the user has disabled it or a new exception applies before the job runs', async () => {
    const ada = await createAuthor()
    const post = await act(ada, '/api/v1/statuses', { status: 'Old' })
    await choose(ada, { enabled: false })
    await clean(ada, post.id)
    await choose(ada, { enabled: true, minAgeSeconds: 31_556_952 })
    await clean(ada, post.id)
    await choose(ada, {})
    await act(ada, `/api/v1/statuses/${post.id}/bookmark`)
    await clean(ada, post.id)
    assert.equal(await codeOf(ada, post), 200)
    await act(ada, `/api/v1/statuses/${post.id}/unbookmark`)
    await clean(ada, post.id)
    assert.equal(await codeOf(ada, post), 404)
  })

  test('deletes no post of another user', async () => {
    const [ada, ben] = [await createAuthor(), await testServer.createUser()]
    const post = await act(ben, '/api/v1/statuses', { status: 'Old' })
    await clean(ada, post.id)
    await clean(ben, post.id)
    assert.equal(await codeOf(ben, post), 200)
  })

  test('hides a post that is evidence in an open report, which moderators still see', async () => {
    const [ada, ben] = [await createAuthor(), await testServer.createUser()]
    const staff = await testServer.createUser({ role: 'moderator', scopes: 'read write admin:read admin:write' })
    const post = await act(ada, '/api/v1/statuses', { status: 'Something bad' })
    await act(ben, '/api/v1/reports', { account_id: ada.accountId, status_ids: [post.id] })
    await clean(ada, post.id)
    assert.deepEqual([await codeOf(ada, post), await codeOf(ben, post)], [404, 404])
    const { body: reports } = await staff.client.get<{ statuses: Status[] }[]>('/api/v1/admin/reports')
    assert.deepEqual(
      reports.flatMap(({ statuses }) => statuses.map(({ id }) => id)),
      [post.id],
    )
  })

  test('of an imported post sends no Delete, unless other servers may have the post', async () => {
    const ada = await createAuthor()
    const fan = await remote.createActor('listener', { keys })
    await deliver(fan, fan.activity('Follow', uriOf(ada)))
    const [unknown, pinned] = [await importOld(ada), await importOld(ada)]
    await choose(ada, { keepPinned: false })
    await act(ada, `/api/v1/statuses/${pinned}/pin`)
    await clean(ada, unknown)
    await clean(ada, pinned)
    assert.deepEqual(await db.selectFrom('statuses').select('id').where('id', 'in', [unknown, pinned]).execute(), [])
    assert.deepEqual(
      fan.inbox.all('Delete').map(({ object }) => object.id.split('/').at(-1)),
      [pinned],
    )
  })
})

async function importOld({ accountId }: TestUser): Promise<string> {
  const post = {
    uri: `https://old.test/${crypto.randomUUID()}`,
    text: 'From before',
    spoilerText: '',
    visibility: 'public',
    sensitive: false,
    language: null,
    publishedAt: new Date('2020-01-01T00:00:00Z'),
    updatedAt: null,
    inReplyTo: null,
    hashtags: new Map(),
    poll: null,
  } as const
  const id = await ctx.write((tx) => importStatus(tx, { accountId, post, mediaIds: [] }))
  return id!
}

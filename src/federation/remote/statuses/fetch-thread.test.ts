import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { blockDomainAsStaff, unblockDomainAsStaff } from '../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import { respondWith, withChangedBody } from '../../../../test/federation/peer/behaviour.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { Context } from '../../../entities/statuses/status.ts'

let later = 0
const hosts = ['remote.test', 'other.test']
const fediverse = await openFediverse({ hosts, now: () => new Date(Date.now() + later) })
const { testServer, peer, uriOf } = fediverse
after(fediverse.close)
beforeEach(() => {
  for (const name of hosts) peer.host(name).recover()
})

const MINUTE_MS = 60_000
const [remote, other] = [peer.host('remote.test'), peer.host('other.test')]
const bob = await remote.createActor('bob')
const eve = await other.createActor('eve', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })

/** Creates a status that is an hour old and stored on its own server only. */
function createOldNote(author: PeerActor, fields: Record<string, unknown> = {}): Activity {
  const published = new Date(Date.now() + later - 60 * MINUTE_MS).toISOString()
  return author.note({ published, ...fields })
}

/** Serves the replies collection of a status, with these replies. */
function serveReplies(
  note: Activity,
  replies: readonly Activity[],
  { pageSize }: { pageSize?: number } = {},
): Activity {
  const path = `${new URL(String(note['id'])).pathname}/replies`
  const host = peer.host(new URL(String(note['id'])).host)
  const uris = replies.map((reply) => reply['id'])
  note['replies'] = host.serveCollection(path, uris, { type: 'Collection', ...(pageSize && { pageSize }) })
  return note
}

async function find(uri: unknown): Promise<string> {
  const { body } = await alice.client.get('/api/v2/search', { q: uri, resolve: true, type: 'statuses' })
  assert.equal(body.statuses.length, 1, `${String(uri)} was not found`)
  return body.statuses[0].id
}

interface Opened {
  uris: string[]
  /** The id in the header; undefined without the header. */
  refresh: string | undefined
}

async function open(id: string, client: TestUser['client'] = alice.client): Promise<Opened> {
  const { status, body, headers } = await client.get<Context>(`/api/v1/statuses/${id}/context`)
  assert.equal(status, 200)
  const header = headers['mastodon-async-refresh']
  const [, refresh] = /^id="([^"]+)", retry=3, result_count=\d+$/.exec(String(header)) ?? []
  assert.equal(refresh === undefined, header === undefined)
  return { uris: body.descendants.map(({ uri }) => uri), refresh }
}

async function progress(refresh: string | undefined): Promise<{ status: string; result_count: number }> {
  const { status, body } = await alice.client.get(`/api/v1_alpha/async_refreshes/${refresh}`)
  assert.equal(status, 200)
  assertEntity('AsyncRefresh', body.async_refresh)
  assert.equal(body.async_refresh.id, refresh)
  return body.async_refresh
}

const idsOf = (notes: readonly Activity[]) => notes.map((note) => String(note['id']))

suite('opening the thread of a remote status', () => {
  test('fetches unknown replies from several servers and pages, and reports the progress', async () => {
    const root = createOldNote(bob)
    const [first, second, third] = [1, 2, 3].map((n) => createOldNote(n === 2 ? eve : bob, { inReplyTo: root['id'] }))
    const deep = createOldNote(eve, { inReplyTo: second!['id'] })
    serveReplies(root, [first!, second!, third!], { pageSize: 2 })
    serveReplies(second!, [deep])
    const id = await find(root['id'])
    const before = await open(id)
    assert.deepEqual(before.uris, [])
    await testServer.waitForJobs()
    const { status, result_count } = await progress(before.refresh)
    assert.deepEqual([status, result_count], ['finished', 4])
    const now = await open(id)
    assert.equal(now.refresh, undefined, 'a finished refresh is not announced any more')
    assert.deepEqual(now.uris.toSorted(), idsOf([first!, second!, third!, deep]).toSorted())
  })

  test('announces a running refresh', async () => {
    const root = createOldNote(bob)
    serveReplies(root, [createOldNote(bob, { inReplyTo: root['id'] })])
    const id = await find(root['id'])
    let release = () => {}
    const blocked = new Promise<void>((resolve) => (release = resolve))
    remote.behave(new URL(String(root['id'])).pathname, async ({ respond }) => {
      await blocked
      await respond()
    })
    const { refresh } = await open(id)
    assert.deepEqual([(await progress(refresh)).status, (await open(id)).refresh], ['running', refresh])
    release()
    await testServer.waitForJobs()
    assert.deepEqual(await progress(refresh).then(({ status, result_count }) => [status, result_count]), [
      'finished',
      1,
    ])
  })

  test('reads replies that are embedded in the status, as Mastodon sends them', async () => {
    const root = createOldNote(bob)
    const [own, others] = [createOldNote(bob, { inReplyTo: root['id'] }), createOldNote(eve, { inReplyTo: root['id'] })]
    const next = remote.serveCollection('/more-replies', idsOf([others]), { type: 'Collection' })
    const id = `${String(root['id'])}/replies`
    const first = { type: 'CollectionPage', partOf: id, next, items: idsOf([own]) }
    root['replies'] = { id, type: 'Collection', first }
    const statusId = await find(root['id'])
    await open(statusId)
    await testServer.waitForJobs()
    assert.deepEqual((await open(statusId)).uris.toSorted(), idsOf([own, others]).toSorted())
  })

  test('starts a refresh at most every 15 minutes, for the status and its descendants', async () => {
    const root = createOldNote(bob)
    const reply = serveReplies(createOldNote(bob, { inReplyTo: root['id'] }), [])
    serveReplies(root, [reply])
    const id = await find(root['id'])
    assert.ok((await open(id)).refresh)
    await testServer.waitForJobs()
    const below = await find(reply['id'])
    const requestCount = () => remote.requests.length
    const before = requestCount()
    for (const one of [id, below]) assert.equal((await open(one)).refresh, undefined)
    await testServer.waitForJobs()
    assert.equal(requestCount(), before)
    later += 16 * MINUTE_MS
    assert.ok((await open(id)).refresh)
    await testServer.waitForJobs()
    assert.ok(requestCount() > before)
  })

  test('starts no refresh for recent, local and non-public statuses, nor for anonymous requests', async () => {
    const recent = bob.note({ published: new Date(Date.now() + later - 2 * MINUTE_MS).toISOString() })
    const forFollowers = createOldNote(bob, { to: [bob.followersUrl], cc: [uriOf(alice)] })
    await fediverse.deliver(
      bob,
      bob.activity('Create', forFollowers, { to: forFollowers['to'], cc: forFollowers['cc'] }),
    )
    const { id: hidden } = await fediverse.getStatus(forFollowers['id'])
    const { body: own } = await alice.client.post('/api/v1/statuses', { status: 'mine' })
    const publicId = await find(createOldNote(bob)['id'])
    for (const id of [await find(recent['id']), hidden, own.id]) {
      assert.equal((await open(id)).refresh, undefined)
    }
    assert.equal((await open(publicId, testServer.anonymous)).refresh, undefined)
    assert.ok((await open(publicId)).refresh)
    await testServer.waitForJobs()
  })
})

test('at most eight threads are refreshed at the same time', async () => {
  const ids: string[] = []
  for (let n = 0; n < 9; n += 1) ids.push(await find(createOldNote(bob)['id']))
  let release = () => {}
  const blocked = new Promise<void>((resolve) => (release = resolve))
  remote.behave(/\/statuses\//, async ({ respond }) => {
    await blocked
    await respond()
  })
  const begun: boolean[] = []
  for (const id of ids) begun.push((await open(id)).refresh !== undefined)
  assert.deepEqual(begun, [...Array.from({ length: 8 }, () => true), false])
  release()
  await testServer.waitForJobs()
  assert.ok((await open(ids[8]!)).refresh)
  await testServer.waitForJobs()
})

suite('a collection of replies cannot', () => {
  async function refreshed(root: Activity): Promise<string[]> {
    const id = await find(root['id'])
    const { refresh } = await open(id)
    await testServer.waitForJobs()
    assert.equal((await progress(refresh)).status, 'finished')
    return (await open(id)).uris
  }

  test('add statuses that are no replies to the status, not public, forged, votes, or of another vocabulary', async () => {
    const root = createOldNote(bob)
    const good = createOldNote(eve, { inReplyTo: root['id'] })
    const unrelated = createOldNote(eve)
    const secret = createOldNote(eve, { inReplyTo: root['id'], to: [bob.id], cc: [] })
    const vote = createOldNote(eve, { inReplyTo: root['id'], name: 'an option', content: undefined })
    const forged = createOldNote(eve, { inReplyTo: root['id'], attributedTo: bob.id })
    const foreign = createOldNote(eve, { inReplyTo: root['id'], '@context': 'https://w3id.org/security/v1' })
    serveReplies(root, [unrelated, secret, vote, forged, foreign, good])
    assert.deepEqual(await refreshed(root), [good['id']])
    for (const note of [unrelated, secret, vote, forged, foreign])
      assert.equal(await fediverse.findStatus(note['id']), undefined)
  })

  test('have pages on another server than the status', async () => {
    const root = createOldNote(bob)
    const reply = createOldNote(eve, { inReplyTo: root['id'] })
    root['replies'] = other.serveCollection('/not-yours', idsOf([reply]), { type: 'Collection' })
    assert.deepEqual(await refreshed(root), [])
    assert.equal(other.countRequests('/not-yours'), 0)
  })

  test('FE4 cause requests to private addresses or suspended servers', async () => {
    const root = createOldNote(bob)
    const good = createOldNote(bob, { inReplyTo: root['id'] })
    const evil = createOldNote(eve, { inReplyTo: root['id'] })
    await blockDomainAsStaff(testServer.ctx, 'other.test', { severity: 'suspend' })
    const uris = [
      'https://127.0.0.1/x',
      'https://10.0.0.1:22/x',
      'ftp://remote.test/x',
      evil['id'],
      good['id'],
      7,
      null,
    ]
    root['replies'] = remote.serveCollection('/places', uris, { type: 'Collection' })
    const before = other.requests.length
    assert.deepEqual(await refreshed(root), [good['id']])
    assert.equal(other.requests.length, before)
    await unblockDomainAsStaff(testServer.ctx, 'other.test')
  })

  test('IN22 be endless, nor contain more than five hundred replies', async () => {
    const root = createOldNote(bob)
    let pages = 0
    remote.serveAt('/endless', () => ({
      status: 200,
      headers: { 'content-type': 'application/activity+json' },
      body: JSON.stringify({
        id: `${remote.origin}/endless?page=${pages}`,
        type: 'CollectionPage',
        items: Array.from({ length: 100 }, (_, n) => `${remote.origin}/none/${(pages += n === 0 ? 1 : 0)}-${n}`),
        next: `${remote.origin}/endless?page=${pages}`,
      }),
    }))
    root['replies'] = `${remote.origin}/endless?page=0`
    assert.deepEqual(await refreshed(root), [])
    assert.equal(remote.countRequests(/^\/endless/), 5)
    assert.equal(remote.countRequests(/^\/none\//), 500)
  })

  test('stop the refresh when a server fails', async () => {
    const root = createOldNote(bob)
    const replies = Array.from({ length: 6 }, () => createOldNote(bob, { inReplyTo: root['id'] }))
    serveReplies(root, replies)
    remote.behave(new URL(String(replies[0]!['id'])).pathname, respondWith(500))
    remote.behave(
      new URL(String(replies[1]!['id'])).pathname,
      withChangedBody((body) => body.slice(0, -5)),
    )
    assert.deepEqual((await refreshed(root)).toSorted(), idsOf(replies.slice(2)).toSorted())
  })
})

test('the progress of a refresh is only shown to users, and an unknown one is not found', async () => {
  const path = '/api/v1_alpha/async_refreshes/'
  const id = 'cdd3a3a4-8a5c-4a52-8a0c-6d9a3b9a8a11'
  assert.equal((await testServer.anonymous.get(path + id)).status, 401)
  for (const unknown of [id, '1', 'x'.repeat(300), `${id}%00`]) {
    const { status, body } = await alice.client.get(path + unknown)
    assert.deepEqual([status, body], [404, { error: 'Record not found' }], unknown)
  }
})

test('finished refreshes are deleted after a day', async () => {
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from thread_refreshes`.execute(
      testServer.ctx.db,
    )
    return rows[0]!.count
  }
  assert.ok((await count()) > 0)
  later += 25 * 60 * MINUTE_MS
  await testServer.ctx.write(async (tx) => tx.emit('clock.hourly', {}))
  await testServer.waitForJobs()
  assert.equal(await count(), 0)
})

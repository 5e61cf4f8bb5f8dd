import assert from 'node:assert/strict'
import { after, beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/fediverse.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import { answer, change } from '../../../test/peer/behaviour.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import { assertOnWire } from '../../../test/wire.ts'
import type { Person } from '../../../test/world.ts'
import type { Context } from '../../entities/status.ts'

let later = 0
const hosts = ['remote.test', 'other.test']
const fediverse = await openFediverse({ hosts, now: () => new Date(Date.now() + later) })
const { world, peer, uriOf } = fediverse
after(fediverse.close)
beforeEach(() => {
  for (const name of hosts) peer.host(name).recover()
})

const MINUTE_MS = 60_000
const [remote, other] = [peer.host('remote.test'), peer.host('other.test')]
const bob = await remote.createActor('bob')
const eve = await other.createActor('eve', { keys: bob.keys })
const alice = await world.createPerson({ username: 'alice' })

/** A status that is an hour old, on its own server only. */
function old(author: PeerActor, fields: Record<string, unknown> = {}): Activity {
  const published = new Date(Date.now() + later - 60 * MINUTE_MS).toISOString()
  return author.note({ published, ...fields })
}

/** Serves replies to a status, the collection of which names them. */
function answerWith(note: Activity, replies: readonly Activity[], { pageSize }: { pageSize?: number } = {}): Activity {
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
  /** The id that the header tells; undefined: there is no header. */
  refresh: string | undefined
}

async function open(id: string, client: Person['client'] = alice.client): Promise<Opened> {
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
  assertOnWire('AsyncRefresh', body.async_refresh)
  assert.equal(body.async_refresh.id, refresh)
  return body.async_refresh
}

const idsOf = (notes: readonly Activity[]) => notes.map((note) => String(note['id']))

suite('a member who opens the thread of a status of another server', () => {
  test('finds there later what was not known here, from several servers and through pages, and is told how that goes', async () => {
    const root = old(bob)
    const [first, second, third] = [1, 2, 3].map((n) => old(n === 2 ? eve : bob, { inReplyTo: root['id'] }))
    const deep = old(eve, { inReplyTo: second!['id'] })
    answerWith(root, [first!, second!, third!], { pageSize: 2 })
    answerWith(second!, [deep])
    const id = await find(root['id'])
    const before = await open(id)
    assert.deepEqual(before.uris, [])
    await world.settle()
    const { status, result_count } = await progress(before.refresh)
    assert.deepEqual([status, result_count], ['finished', 4])
    const now = await open(id)
    assert.equal(now.refresh, undefined, 'what is done is not told any more')
    assert.deepEqual(now.uris.toSorted(), idsOf([first!, second!, third!, deep]).toSorted())
  })

  test('sees while it goes on that it does', async () => {
    const root = old(bob)
    answerWith(root, [old(bob, { inReplyTo: root['id'] })])
    const id = await find(root['id'])
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    remote.behave(new URL(String(root['id'])).pathname, async ({ respond }) => {
      await held
      await respond()
    })
    const { refresh } = await open(id)
    assert.deepEqual([(await progress(refresh)).status, (await open(id)).refresh], ['running', refresh])
    release()
    await world.settle()
    assert.deepEqual(await progress(refresh).then(({ status, result_count }) => [status, result_count]), [
      'finished',
      1,
    ])
  })

  test('understands also what stands in the status itself, as Mastodon writes it', async () => {
    const root = old(bob)
    const [own, others] = [old(bob, { inReplyTo: root['id'] }), old(eve, { inReplyTo: root['id'] })]
    const next = remote.serveCollection('/more-replies', idsOf([others]), { type: 'Collection' })
    const id = `${String(root['id'])}/replies`
    const first = { type: 'CollectionPage', partOf: id, next, items: idsOf([own]) }
    root['replies'] = { id, type: 'Collection', first }
    const statusId = await find(root['id'])
    await open(statusId)
    await world.settle()
    assert.deepEqual((await open(statusId)).uris.toSorted(), idsOf([own, others]).toSorted())
  })

  test('causes it at most every quarter of an hour, for the status and for those below', async () => {
    const root = old(bob)
    const reply = answerWith(old(bob, { inReplyTo: root['id'] }), [])
    answerWith(root, [reply])
    const id = await find(root['id'])
    assert.ok((await open(id)).refresh)
    await world.settle()
    const below = await find(reply['id'])
    const asked = () => remote.requests.length
    const before = asked()
    for (const one of [id, below]) assert.equal((await open(one)).refresh, undefined)
    await world.settle()
    assert.equal(asked(), before)
    later += 16 * MINUTE_MS
    assert.ok((await open(id)).refresh)
    await world.settle()
    assert.ok(asked() > before)
  })

  test('causes nothing while a status is young, is of here, or is not for everybody, nor does a stranger', async () => {
    const young = bob.note({ published: new Date(Date.now() + later - 2 * MINUTE_MS).toISOString() })
    const forFollowers = old(bob, { to: [bob.followersUrl], cc: [uriOf(alice)] })
    await fediverse.deliver(
      bob,
      bob.activity('Create', forFollowers, { to: forFollowers['to'], cc: forFollowers['cc'] }),
    )
    const { id: hidden } = await fediverse.getStatus(forFollowers['id'])
    const { body: own } = await alice.client.post('/api/v1/statuses', { status: 'mine' })
    const everybodys = await find(old(bob)['id'])
    for (const id of [await find(young['id']), hidden, own.id]) {
      assert.equal((await open(id)).refresh, undefined)
    }
    assert.equal((await open(everybodys, world.anonymous)).refresh, undefined)
    assert.ok((await open(everybodys)).refresh)
    await world.settle()
  })
})

test('for no more than eight threads others are asked at once', async () => {
  const ids: string[] = []
  for (let n = 0; n < 9; n += 1) ids.push(await find(old(bob)['id']))
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  remote.behave(/\/statuses\//, async ({ respond }) => {
    await held
    await respond()
  })
  const begun: boolean[] = []
  for (const id of ids) begun.push((await open(id)).refresh !== undefined)
  assert.deepEqual(begun, [...Array.from({ length: 8 }, () => true), false])
  release()
  await world.settle()
  assert.ok((await open(ids[8]!)).refresh)
  await world.settle()
})

suite('what a collection of replies may not do', () => {
  async function refreshed(root: Activity): Promise<string[]> {
    const id = await find(root['id'])
    const { refresh } = await open(id)
    await world.settle()
    assert.equal((await progress(refresh)).status, 'finished')
    return (await open(id)).uris
  }

  test('bring in what is no reply to the status, not for everybody, forged, or a vote', async () => {
    const root = old(bob)
    const good = old(eve, { inReplyTo: root['id'] })
    const unrelated = old(eve)
    const secret = old(eve, { inReplyTo: root['id'], to: [bob.id], cc: [] })
    const vote = old(eve, { inReplyTo: root['id'], name: 'an option', content: undefined })
    const forged = old(eve, { inReplyTo: root['id'], attributedTo: bob.id })
    answerWith(root, [unrelated, secret, vote, forged, good])
    assert.deepEqual(await refreshed(root), [good['id']])
    for (const note of [unrelated, secret, vote, forged])
      assert.equal(await fediverse.findStatus(note['id']), undefined)
  })

  test('lead elsewhere: its pages are of the server of the status', async () => {
    const root = old(bob)
    const reply = old(eve, { inReplyTo: root['id'] })
    root['replies'] = other.serveCollection('/not-yours', idsOf([reply]), { type: 'Collection' })
    assert.deepEqual(await refreshed(root), [])
    assert.equal(other.countRequests('/not-yours'), 0)
  })

  test('FE4 lead to addresses that nothing is asked of, or to people of blocked servers', async () => {
    const root = old(bob)
    const good = old(bob, { inReplyTo: root['id'] })
    const evil = old(eve, { inReplyTo: root['id'] })
    await world.ctx.db.insertInto('domain_blocks').values({ domain: 'other.test', severity: 'suspend' }).execute()
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
    await sql`delete from domain_blocks`.execute(world.ctx.db)
  })

  test('IN22 go on for ever, nor name more than five hundred', async () => {
    const root = old(bob)
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

  test('stop the search when a server fails in the middle', async () => {
    const root = old(bob)
    const replies = Array.from({ length: 6 }, () => old(bob, { inReplyTo: root['id'] }))
    answerWith(root, replies)
    remote.behave(new URL(String(replies[0]!['id'])).pathname, answer(500))
    remote.behave(
      new URL(String(replies[1]!['id'])).pathname,
      change((body) => body.slice(0, -5)),
    )
    assert.deepEqual((await refreshed(root)).toSorted(), idsOf(replies.slice(2)).toSorted())
  })
})

test('how a search goes is told to members only, and an unknown one is absent', async () => {
  const path = '/api/v1_alpha/async_refreshes/'
  const id = 'cdd3a3a4-8a5c-4a52-8a0c-6d9a3b9a8a11'
  assert.equal((await world.anonymous.get(path + id)).status, 401)
  for (const unknown of [id, '1', 'x'.repeat(300), `${id}%00`]) {
    const { status, body } = await alice.client.get(path + unknown)
    assert.deepEqual([status, body], [404, { error: 'Record not found' }], unknown)
  }
})

test('that statuses were asked is forgotten after a day', async () => {
  const count = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int as count from thread_refreshes`.execute(
      world.ctx.db,
    )
    return rows[0]!.count
  }
  assert.ok((await count()) > 0)
  later += 25 * 60 * MINUTE_MS
  await world.ctx.write(async (tx) => tx.emit('clock.hourly', {}))
  await world.settle()
  assert.equal(await count(), 0)
})

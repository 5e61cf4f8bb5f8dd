import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openFediverse } from '../../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import type { Context } from '../../../entities/statuses/status.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'other.test'] })
const { testServer, peer } = fediverse
after(fediverse.close)

const [remote, other] = [peer.host('remote.test'), peer.host('other.test')]
const bob = await remote.createActor('bob')
const eve = await other.createActor('eve', { keys: bob.keys })
const alice = await testServer.createUser({ username: 'alice' })

/** Creates a status that is an hour old and stored on its own server only. */
function createOldNote(author: PeerActor, fields: Record<string, unknown>): Activity {
  return author.note({ published: new Date(Date.now() - 60 * 60_000).toISOString(), ...fields })
}

let threads = 0

/** Creates the start of a thread whose collection lists these items, on its author's server unless `host` is given. */
function createThread(itemsOf: (root: Activity) => readonly unknown[], { host = remote } = {}): Activity {
  threads += 1
  const path = `/threads/${threads}`
  const root = createOldNote(bob, { context: host.origin + path, conversation: `tag:remote.test,2026:${threads}` })
  host.serveCollection(path, [root['id'], ...itemsOf(root)], { type: 'Collection', pageSize: 3 })
  return root
}

/** Opens the thread of a status twice: before and after its refresh. Returns the URIs of its descendants then. */
async function openTwice(root: Activity): Promise<string[]> {
  const { body: found } = await alice.client.get('/api/v2/search', { q: root['id'], resolve: true, type: 'statuses' })
  const path = `/api/v1/statuses/${found.statuses[0].id}/context`
  assert.deepEqual((await alice.client.get<Context>(path)).body.descendants, [])
  await testServer.waitForJobs()
  return (await alice.client.get<Context>(path)).body.descendants.map(({ uri }) => uri).toSorted()
}

const idsOf = (notes: readonly Activity[]) => notes.map((note) => String(note['id'])).toSorted()

suite('opening the thread of a remote status also fetches the collection of the thread (FEP-7888)', () => {
  test('with replies that no collection of replies lists, by all that connects them with the thread', async () => {
    const shown: Activity[] = []
    const waiting: Activity[] = []
    const root = createThread((start) => {
      const { id, context, conversation } = start
      const inReplyTo = `${other.origin}/gone`
      const inActivity = createOldNote(eve, { inReplyTo: id, context })
      shown.push(createOldNote(eve, { inReplyTo: id }), inActivity)
      waiting.push(createOldNote(bob, { inReplyTo, context }), createOldNote(eve, { inReplyTo, conversation }))
      const create = { id: `${other.origin}/activities/1`, type: 'Create', actor: eve.id, object: inActivity }
      return [shown[0]!['id'], waiting[0], waiting[1]!['id'], { ...create, type: 'Add', object: create }]
    })
    assert.deepEqual(await openTwice(root), idsOf(shown))
    for (const note of waiting) assert.ok(await fediverse.findStatus(note['id']))
  })

  test('on the server that the status names, but no page on a third one', async () => {
    const root = createThread((start) => [createOldNote(eve, { inReplyTo: start['id'] })['id']], { host: other })
    assert.equal((await openTwice(root)).length, 1)
    const leaving = createOldNote(bob, { context: `${other.origin}/leaving` })
    const reply = createOldNote(eve, { inReplyTo: leaving['id'] })
    const next = remote.serveCollection('/third', [reply['id']])
    other.serveAt('/leaving', { id: leaving['context'], type: 'Collection', items: [], next })
    assert.deepEqual(await openTwice(leaving), [])
    assert.equal(remote.countRequests('/third'), 0)
  })

  test('without statuses of other threads, forged ones, and those that are not public', async () => {
    let others: Activity[] = []
    const root = createThread((start) => {
      const fields = { inReplyTo: start['id'], context: start['context'] }
      others = [
        createOldNote(eve, {}),
        createOldNote(eve, { inReplyTo: createOldNote(eve, {})['id'], context: `${other.origin}/threads/0` }),
        createOldNote(eve, { ...fields, to: [bob.id], cc: [] }),
        createOldNote(eve, { ...fields, attributedTo: bob.id }),
      ]
      return idsOf(others)
    })
    assert.deepEqual(await openTwice(root), [])
    for (const note of others) assert.equal(await fediverse.findStatus(note['id']), undefined)
  })
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { confirmArchiveImport } from '../../../test/features/archives.ts'
import { ACTOR, archiveOf, create } from '../../../test/features/mastodon-archives.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { openBrowserSession } from '../../../test/http/open-session.ts'
import type { Status } from '../../entities/statuses/status.ts'

const fediverse = await openFediverse({ hosts: ['far.test'] })
after(fediverse.close)
const { testServer, peer, notificationsOf } = fediverse
const ada = await testServer.createUser()
const browser = await openBrowserSession(testServer, ada)
const bob = await testServer.createUser()
const far = await peer.host('far.test').createActor('Far')

const post = async (user: typeof bob, body: object) => (await user.client.post<Status>('/api/v1/statuses', body)).body
const collection = (uris: readonly unknown[]) =>
  Buffer.from(JSON.stringify({ type: 'OrderedCollection', orderedItems: uris }))
const uris = async (path: string) => (await ada.client.get<Status[]>(path)).body.map(({ uri }) => uri).toSorted()

test('favourites and bookmarks of an archive are imported silently, of posts that the user may see', async () => {
  const known = await post(bob, { status: 'Known' })
  const hidden = await post(bob, { status: 'Followers only', visibility: 'private' })
  const blocker = await testServer.createUser()
  const blocked = await post(blocker, { status: 'Blocked' })
  await blocker.client.post(`/api/v1/accounts/${ada.accountId}/block`)
  const remoteUri = String(far.note()['id'])
  const own = `${ACTOR}/statuses/1`
  const bookmarks = [known.uri, remoteUri, own, hidden.uri, 'https://far.test/missing']
  const archive = await archiveOf([create('1')], {
    'bookmarks.json': collection(bookmarks),
    'likes.json': collection([known.uri, { id: remoteUri }, hidden.uri, blocked.uri, 42, 'x'.repeat(3_000)]),
  })
  for (const attempt of ['first', 'second']) {
    const path = await confirmArchiveImport(browser, archive)
    assert.match((await browser.get(path)).text, /Scheduled|In progress|Finished/)
    await testServer.waitForJobs()
    const { text } = await browser.get(path)
    assert.match(text, /Finished Imported: 6 of 12 6 entries could not be imported/, attempt)
    const failures = (await browser.get(`${path}/failures.csv`)).html
    for (const uri of [hidden.uri, blocked.uri, 'https://far.test/missing']) assert.ok(failures.includes(uri), uri)
  }
  const [imported] = (await ada.client.get<Status[]>(`/api/v1/accounts/${ada.accountId}/statuses`)).body
  assert.deepEqual(await uris('/api/v1/bookmarks'), [known.uri, remoteUri, imported!.uri].toSorted())
  assert.deepEqual(await uris('/api/v1/favourites'), [known.uri, remoteUri].toSorted())
  assert.equal((await bob.client.get<Status>(`/api/v1/statuses/${known.id}`)).body.favourites_count, 1)
  assert.deepEqual(await notificationsOf(bob), [])
  assert.deepEqual(far.inbox.received, [])
})

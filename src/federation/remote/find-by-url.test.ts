import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { redirectTo } from '../../../test/federation/peer/behaviour.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const fediverse = await openFediverse({ hosts: ['remote.test', 'split.test'] })
const { testServer, peer, deliver, followEachOther } = fediverse
after(fediverse.close)

const remote = peer.host('remote.test')
const bob = await remote.createActor('bob')
const alice = await testServer.createUser({ username: 'alice' })
const dave = await testServer.createUser({ username: 'dave' })

/** Returns the URIs of the statuses that a user finds by a URL. */
async function findStatuses(q: string, user: TestUser = alice): Promise<string[]> {
  const { body } = await user.client.get('/api/v2/search', { q, resolve: true })
  return body.statuses.map(({ uri }: { uri: string }) => uri)
}

suite('the URL of a page finds', () => {
  test('a followers-only status, which cannot be fetched, only for followers', async () => {
    const bobId = await followEachOther(alice, bob)
    const id = `${bob.id}/statuses/1`
    const url = 'https://remote.test/@bob/1'
    const to = [bob.followersUrl]
    const note = { ...bob.note({ to, cc: [] }), id, url }
    await deliver(bob, bob.activity('Create', note, { to, cc: [] }))
    assert.deepEqual([await findStatuses(url), await findStatuses(url, dave)], [[id], []])
    for (const other of [`${url}0`, 'https://remote.test/@bobby/1', 'https://split.test/@bob/1'])
      assert.deepEqual(await findStatuses(other), [], other)
    // Other servers identify actors by numbers.
    const numeric = 'https://remote.test/ap/users/7'
    await sql`update accounts set uri = ${numeric} where id = ${bobId}`.execute(testServer.ctx.db)
    await sql`update statuses set uri = ${`${numeric}/statuses/1`} where uri = ${id}`.execute(testServer.ctx.db)
    assert.deepEqual([(await findStatuses(url)).length, (await findStatuses(url, dave)).length], [1, 0])
  })

  test('a local status, if it redirects to its page or its URI', async () => {
    const { uri, url } = (await alice.client.post('/api/v1/statuses', { status: 'Hello', visibility: 'private' })).body
    for (const [n, target] of [uri, url].entries()) {
      remote.behave(`/short/${n}`, redirectTo(target))
      const short = `https://remote.test/short/${n}`
      assert.deepEqual([await findStatuses(short), await findStatuses(short, dave)], [[uri], []])
    }
  })
})

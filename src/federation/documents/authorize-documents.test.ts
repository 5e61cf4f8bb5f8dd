import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { blockDomainAsStaff } from '../../../test/features/moderation.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import type { Fediverse } from '../../../test/federation/fediverse.ts'
import type { PeerActor } from '../../../test/federation/peer/actor.ts'
import { respondWith } from '../../../test/federation/peer/behaviour.ts'
import { allowDomain } from '../../domain/domain-blocks/allow-domain.ts'
import { ROUTE_POLICIES } from '../../http/route-policies.ts'

const ACCEPT = 'application/activity+json'

/** What other servers need before they can sign a request or verify a signature. */
const OPEN = new Set([
  '/actor',
  '/.well-known/webfinger',
  '/.well-known/host-meta',
  '/.well-known/host-meta.json',
  '/.well-known/nodeinfo',
  '/nodeinfo/2.0',
])

const DOCUMENTS = Object.entries(ROUTE_POLICIES)
  .filter(([, { cache }]) => cache === 'document')
  .map(([key]) => key.split(' ')[1]!)

for (const setting of ['AUTHORIZED_FETCH', 'LIMITED_FEDERATION_MODE']) {
  suite(`with ${setting}=true`, () => {
    let fediverse: Fediverse
    let alice: PeerActor
    let blocked: PeerActor
    let ids: Record<string, string>

    before(async () => {
      fediverse = await openFediverse({
        hosts: ['far.test', 'blocked.test'],
        effects: false,
        env: { [setting]: 'true' },
      })
      const { testServer, peer } = fediverse
      alice = await peer.host('far.test').createActor('alice')
      blocked = await peer.host('blocked.test').createActor('blocked')
      const { ctx } = testServer
      if (setting === 'LIMITED_FEDERATION_MODE')
        await ctx.write((tx) => allowDomain(tx, { by: null, domain: 'far.test' }))
      else await blockDomainAsStaff(ctx, 'blocked.test', { severity: 'suspend' })
      const ann = await testServer.createUser({ username: 'ann' })
      const { body } = await ann.client.post('/api/v1/statuses', { status: 'hello #linnet' })
      ids = {
        ':name/:id': `ann/${body.id}`,
        ':id': ann.accountId,
        ':status': body.id,
        ':name': 'ann',
        ':tag': 'linnet',
      }
    })
    after(() => fediverse.close())

    const pathOf = (route: string) => {
      const known = Object.entries(ids).reduce((path, [name, value]) => path.replace(name, value), route)
      return known.replace(/:\w+/g, '1')
    }
    const get = async (actor: PeerActor, path: string, options: Parameters<PeerActor['get']>[1] = {}) =>
      actor.get(fediverse.origin + path, { headers: { accept: ACCEPT }, ...options })
    const getUnsigned = async (path: string, accept = ACCEPT, headers: Record<string, string> = {}) =>
      fediverse.testServer.server.inject({ url: path, headers: { accept, ...headers } })

    for (const route of DOCUMENTS) {
      test(`CA1 ${route} ${OPEN.has(route) ? 'is open' : 'needs a valid signature, and is not cached'}`, async () => {
        const path = pathOf(route)
        const unsigned = await getUnsigned(path)
        if (OPEN.has(route)) return assert.notEqual(unsigned.statusCode, 401)
        assert.deepEqual([unsigned.statusCode, unsigned.json()], [401, { error: 'Request not signed' }])
        const forged = await get(alice, path, { signer: { keyId: alice.keyId, privateKey: blocked.keys.privateKey } })
        assert.equal(forged.status, 401)
        const signed = await get(alice, path)
        assert.ok([200, 302, 404].includes(signed.status), `${signed.status}`)
        const refused = await get(blocked, path)
        assert.deepEqual([refused.status, refused.json], [404, { error: 'Record not found' }])
        for (const { headers } of [unsigned, forged, signed, refused]) {
          assert.equal(headers['cache-control'], 'private, no-store')
          assert.equal(headers['vary'], 'Accept, Signature')
        }
      })
    }

    test('the documents of an account and its statuses are served to the signers that may see them', async () => {
      const actor = pathOf('/ap/users/:id')
      const status = pathOf('/ap/users/:id/statuses/:status')
      for (const path of [actor, `${actor}/outbox?page=true`, `${actor}/followers`, status, `${status}/replies`])
        assert.equal((await get(alice, path)).status, 200, path)
      const tag = await get(alice, '/tags/linnet')
      assert.equal(tag.json.orderedItems.length, 1)
    })

    test('a browser is redirected from the URI of an actor to the page, if pages are public', async () => {
      const { statusCode, headers } = await getUnsigned(pathOf('/ap/users/:id'), 'text/html')
      if (setting === 'LIMITED_FEDERATION_MODE') assert.equal(statusCode, 401)
      else assert.deepEqual([statusCode, headers.location], [302, 'https://linnet.test/@ann'])
      assert.equal((await getUnsigned(pathOf('/ap/users/:id/outbox'), 'text/html')).statusCode, 401)
    })

    test('a signer whose key cannot be fetched at the moment is asked to retry', async () => {
      const carol = await fediverse.peer.host('far.test').createActor('carol')
      fediverse.peer.host('far.test').behave(new URL(carol.id).pathname, respondWith(503))
      assert.equal((await get(carol, pathOf('/ap/users/:id'))).status, 503)
      fediverse.peer.host('far.test').recover()
    })
  })
}

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../../test/federation/peer/inbox.ts'
import { openQuoteServers } from '../../../../test/federation/quote-servers.ts'

const quoting = await openQuoteServers()
after(quoting.close)
const { testServer, other, makeActor, post, readStatus, stateOf, requestQuote, deliver, notificationsOf, uriOf } =
  quoting

const watcher = await testServer.createUser()

const responseTo = async ({ inbox }: PeerActor, { id }: Activity) =>
  (await inbox.next(({ type, object }) => ['Accept', 'Reject'].includes(type) && object.id === id)).activity

suite('a QuoteRequest', () => {
  test('is accepted if the policy allows it, with an authorization and a notification of the quoted user', async () => {
    const [author, carol] = [await testServer.createUser(), await makeActor()]
    const quoted = await post(author)
    const { note, request } = requestQuote(carol, quoted)
    await deliver(carol, request)
    const accept = await responseTo(carol, request)
    assert.deepEqual([accept['type'], accept['actor']], ['Accept', uriOf(author)])
    const { status, json } = await carol.get(accept['result'])
    assert.equal(status, 200)
    const { '@context': _context, ...authorization } = json
    assert.deepEqual(authorization, {
      id: accept['result'],
      type: 'QuoteAuthorization',
      attributedTo: uriOf(author),
      interactingObject: note['id'],
      interactionTarget: quoted.uri,
    })
    assert.deepEqual(await notificationsOf(author), ['quote'])
    assert.equal(await stateOf(watcher, note['id']), 'accepted')
    assert.equal((await readStatus(watcher, quoted.id)).quotes_count, 1)
    const again = carol.activity('QuoteRequest', quoted.uri, { instrument: note['id'] })
    await deliver(carol, again)
    assert.equal((await responseTo(carol, again))['result'], accept['result'])
    assert.equal((await readStatus(watcher, quoted.id)).quotes_count, 1)
    assert.deepEqual(await notificationsOf(author), ['quote'])
  })

  test('can name a stored note, or one that has to be fetched, by its id', async () => {
    const [author, carol] = [await testServer.createUser(), await makeActor()]
    const quoted = await post(author)
    const sent = requestQuote(carol, quoted)
    await deliver(carol, carol.activity('Create', sent.note))
    assert.equal(await stateOf(watcher, sent.note['id']), 'pending')
    assert.equal((await readStatus(watcher, quoted.id)).quotes_count, 0)
    assert.deepEqual(await notificationsOf(author), [])
    const fetched = requestQuote(carol, quoted)
    for (const { note, request } of [sent, fetched]) {
      await deliver(carol, { ...request, instrument: note['id'] })
      assert.equal((await responseTo(carol, request))['type'], 'Accept')
      assert.equal(await stateOf(watcher, note['id']), 'accepted')
    }
    const { rows } = { rows: (await author.client.get(`/api/v1/statuses/${quoted.id}/quotes`)).body }
    assert.equal(rows.length, 2)
  })

  test('is decided by followers, policy and blocks, like local quotes', async () => {
    const [author, follower, unrelated, blocked] = [
      await testServer.createUser(),
      await makeActor(),
      await makeActor(),
      await makeActor(),
    ]
    await deliver(follower, follower.activity('Follow', uriOf(author)))
    const { body } = await author.client.get('/api/v1/accounts/search', { q: `@${blocked.handle}`, resolve: true })
    await author.client.post(`/api/v1/accounts/${body[0].id}/block`)
    for (const [policy, allowed] of [
      ['public', [follower, unrelated]],
      ['followers', [follower]],
      ['nobody', []],
    ] as const) {
      const quoted = await post(author, { quote_approval_policy: policy })
      for (const actor of [follower, unrelated, blocked]) {
        const { note, request } = requestQuote(actor, quoted)
        await deliver(actor, actor.activity('Create', note), request)
        const expected = (allowed as readonly PeerActor[]).includes(actor)
        assert.equal((await responseTo(actor, request))['type'], expected ? 'Accept' : 'Reject')
        assert.equal(await stateOf(watcher, note['id']), expected ? 'accepted' : 'rejected')
      }
      assert.equal((await readStatus(watcher, quoted.id)).quotes_count, allowed.length)
    }
  })

  test('VI1 gets no response for a status that its actor cannot see', async () => {
    const [author, carol] = [await testServer.createUser(), await makeActor()]
    for (const body of [{ visibility: 'private' }, { visibility: 'direct' }, { local_only: true }]) {
      const quoted = await post(author, body)
      const { note, request } = requestQuote(carol, quoted)
      await deliver(carol, request)
      await testServer.waitForJobs()
      assert.deepEqual(carol.inbox.received, [])
      assert.equal(await quoting.findStatus(note['id']), undefined)
    }
    const follower = await makeActor()
    await deliver(follower, follower.activity('Follow', uriOf(author)))
    const quoted = await post(author, { visibility: 'private' })
    const { request } = requestQuote(follower, quoted)
    await deliver(follower, request)
    assert.equal((await responseTo(follower, request))['type'], 'Reject')
  })

  test('for a private note makes it visible to the quoted user; the authorization has a secret URL', async () => {
    const [author, carol, unrelated] = [await testServer.createUser(), await makeActor(), await makeActor()]
    const quoted = await post(author)
    const { note, request } = requestQuote(carol, quoted, { to: [carol.followersUrl], cc: [] })
    await deliver(carol, request)
    const { result } = await responseTo(carol, request)
    assert.equal(await stateOf(author, note['id']), 'accepted')
    assert.deepEqual(await notificationsOf(author), ['quote'])
    const { id } = await quoting.getStatus(note['id'])
    assert.equal((await watcher.client.get(`/api/v1/statuses/${id}`)).status, 404)
    assert.equal((await carol.get(result)).status, 200)
    assert.equal((await unrelated.get(result)).status, 200)
    assert.match(result, /\/quote_authorizations\/[\da-f-]{36}$/)
    assert.deepEqual((await watcher.client.get(`/api/v1/statuses/${quoted.id}/quotes`)).body, [])
    assert.equal((await author.client.get(`/api/v1/statuses/${quoted.id}/quotes`)).body.length, 1)
  })

  test('IN29 is rejected unless it is for an own note that quotes this status', async () => {
    const [author, carol, mallory, otherHostActor] = [
      await testServer.createUser(),
      await makeActor(),
      await makeActor(),
      await makeActor(other),
    ]
    const [quoted, another] = [await post(author), await post(author)]
    const { note } = requestQuote(carol, quoted)
    const foreign = mallory.activity('QuoteRequest', quoted.uri, { instrument: note['id'] })
    await deliver(mallory, foreign)
    assert.equal((await responseTo(mallory, foreign))['type'], 'Reject')
    await deliver(otherHostActor, otherHostActor.activity('QuoteRequest', quoted.uri, { instrument: note }))
    const otherStatus = carol.activity('QuoteRequest', another.uri, { instrument: note })
    const withoutQuote = carol.activity('QuoteRequest', quoted.uri, { instrument: carol.note() })
    const gone = carol.activity('QuoteRequest', quoted.uri, { instrument: `${carol.id}/statuses/none` })
    for (const request of [otherStatus, withoutQuote, gone]) {
      await deliver(carol, request)
      assert.equal((await responseTo(carol, request))['type'], 'Reject')
    }
    for (const malformed of [
      carol.activity('QuoteRequest', null),
      carol.activity('QuoteRequest', quoted.uri),
      carol.activity('QuoteRequest', quoted.uri, { instrument: [] }),
      carol.activity('QuoteRequest', quoted.uri, { instrument: 'javascript:1' }),
      carol.activity('QuoteRequest', 'https://linnet.test/nothing', { instrument: note }),
      carol.activity('QuoteRequest', note['id'], { instrument: note }),
    ]) {
      await deliver(carol, malformed)
    }
    await testServer.waitForJobs()
    assert.deepEqual(otherHostActor.inbox.received, [])
    assert.equal((await readStatus(watcher, quoted.id)).quotes_count, 0)
    assert.deepEqual(await notificationsOf(author), [])
  })

  test('that was accepted can be revoked: the authorization is deleted, and new requests are rejected', async () => {
    const [author, carol, follower] = [await testServer.createUser(), await makeActor(), await makeActor(other)]
    await deliver(follower, follower.activity('Follow', uriOf(author)))
    const quoted = await post(author)
    const { note, request } = requestQuote(carol, quoted)
    await deliver(carol, request)
    const { result } = await responseTo(carol, request)
    const { id } = await quoting.getStatus(note['id'])
    const { body } = await author.client.post(`/api/v1/statuses/${quoted.id}/quotes/${id}/revoke`)
    assert.equal(body.quote.state, 'revoked')
    for (const actor of [carol, follower]) {
      const { activity } = await actor.inbox.next(({ type }) => type === 'Delete')
      assert.deepEqual(
        [activity['actor'], activity['object'].id, activity['object'].type, activity['object'].interactingObject],
        [uriOf(author), result, 'QuoteAuthorization', note['id']],
      )
    }
    assert.equal((await carol.get(result)).status, 404)
    const again = carol.activity('QuoteRequest', quoted.uri, { instrument: note })
    await deliver(carol, again)
    assert.equal((await responseTo(carol, again))['type'], 'Reject')
    assert.equal(await stateOf(watcher, note['id']), 'revoked')
    assert.equal((await readStatus(watcher, quoted.id)).quotes_count, 0)
    await deliver(
      carol,
      carol.activity('Update', { ...note, quoteAuthorization: result, updated: new Date().toISOString() }),
    )
    assert.equal(await stateOf(watcher, note['id']), 'revoked')
  })

  test('that was accepted has no effect any more when the note is deleted or quotes something else', async () => {
    const [author, carol] = [await testServer.createUser(), await makeActor()]
    const [quoted, another] = [await post(author), await post(author)]
    const [first, second] = [requestQuote(carol, quoted), requestQuote(carol, quoted)]
    await deliver(carol, first.request, second.request)
    assert.equal((await readStatus(watcher, quoted.id)).quotes_count, 2)
    await deliver(carol, carol.activity('Delete', first.note['id']))
    assert.equal((await readStatus(watcher, quoted.id)).quotes_count, 1)
    assert.deepEqual(await notificationsOf(author), ['quote'])
    const edit = (fields: object) =>
      carol.activity('Update', { ...second.note, updated: new Date().toISOString(), ...fields })
    await deliver(carol, edit({ quote: another.uri }))
    assert.equal(await stateOf(watcher, second.note['id']), 'pending')
    assert.deepEqual(
      [(await readStatus(watcher, quoted.id)).quotes_count, (await readStatus(watcher, another.id)).quotes_count],
      [0, 0],
    )
    assert.deepEqual(await notificationsOf(author), [])
    await deliver(carol, edit({ quote: undefined }))
    assert.equal(await stateOf(watcher, second.note['id']), null)
  })
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { PeerActor } from '../../../test/federation/peer/actor.ts'
import type { Activity } from '../../../test/federation/peer/inbox.ts'
import { openQuoteServers } from '../../../test/federation/quote-servers.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const quoting = await openQuoteServers()
after(quoting.close)
const {
  testServer,
  other,
  makeActor,
  post,
  readStatus,
  deliver,
  notificationsOf,
  uriOf,
  serveAuthorization,
  recordNote,
} = quoting

const next = async ({ inbox }: PeerActor, type: string) =>
  (await inbox.next((activity) => activity['type'] === type)).activity

/** Makes a local user, followed from `other`, quote a status of an actor on `remote`, which gets a quote request. */
async function quoteRemote(body: Record<string, unknown> = {}) {
  const [user, carol, follower] = [await testServer.createUser(), await makeActor(), await makeActor(other)]
  await deliver(follower, follower.activity('Follow', uriOf(user)))
  const { id: quotedId, note } = await recordNote(user, carol)
  const status = await post(user, { quoted_status_id: quotedId, ...body })
  return { user, carol, follower, quotedId, note, status, request: await next(carol, 'QuoteRequest') }
}

const stateOf = async (user: TestUser, id: string) => (await readStatus(user, id)).quote?.state

suite('a quoted remote author', () => {
  test('gets a quote request; after the Accept, the quote is shown and sent as an Update', async () => {
    const { user, carol, follower, quotedId, note, status, request } = await quoteRemote()
    assert.deepEqual(status.quote, { state: 'pending', quoted_status: null })
    assert.deepEqual(
      [request['actor'], request['object'], request['instrument'].id, request['instrument'].quote],
      [uriOf(user), note['id'], status.uri, note['id']],
    )
    const created = (await next(follower, 'Create'))['object']
    for (const key of ['quote', 'quoteUri', '_misskey_quote']) assert.equal(created[key], note['id'])
    assert.equal(created.quoteAuthorization, undefined)
    assert.deepEqual(created.interactionPolicy.canQuote.automaticApproval, [
      'https://www.w3.org/ns/activitystreams#Public',
    ])
    assert.match(created.content, /^<p class="quote-inline">RE: /)

    const result = serveAuthorization(carol, status.uri, note['id'])
    await deliver(carol, carol.activity('Accept', request, { result }))
    const shown = await readStatus(user, status.id)
    assert.deepEqual([shown.quote?.state, shown.edited_at], ['accepted', null])
    assert.equal((await readStatus(user, quotedId)).quotes_count, 1)
    for (const actor of [follower, carol]) {
      const { id, object } = await next(actor, 'Update')
      assert.ok(id.startsWith(`${status.uri}#updates/`))
      assert.deepEqual([object.quoteAuthorization, object.quote, object.updated], [result, note['id'], undefined])
    }
    const { json } = await follower.get(status.uri)
    assert.equal(json.quoteAuthorization, result)
  })

  test('can reject a quote at once or later, or revoke its approval, which hides the quote', async () => {
    for (const how of ['at once', 'later', 'revoked'] as const) {
      const { user, carol, follower, quotedId, note, status, request } = await quoteRemote()
      if (how !== 'at once') {
        const result = serveAuthorization(carol, status.uri, note['id'])
        await deliver(carol, carol.activity('Accept', request['id'], { result }))
        assert.equal(await stateOf(user, status.id), 'accepted')
        await next(follower, 'Update')
        if (how === 'revoked') await deliver(carol, carol.activity('Delete', result))
        else await deliver(carol, carol.activity('Reject', request['id']))
      } else await deliver(carol, carol.activity('Reject', request['id']))
      assert.equal(await stateOf(user, status.id), how === 'at once' ? 'rejected' : 'revoked')
      assert.equal((await readStatus(user, quotedId)).quotes_count, 0)
      const { object } = await next(follower, 'Update')
      assert.deepEqual(
        [object.quote, object.quoteUri, object._misskey_quote, object.quoteAuthorization],
        [note['id'], undefined, undefined, undefined],
      )
      const result = serveAuthorization(carol, status.uri, note['id'])
      await deliver(carol, carol.activity('Accept', request, { result }))
      assert.notEqual(await stateOf(user, status.id), 'accepted')
    }
  })

  test('IN29 can approve only by an authorization on its own server, and no other actor can', async () => {
    const { user, carol, note, status, request } = await quoteRemote()
    const [mallory, otherHostActor] = [await makeActor(), await makeActor(other)]
    const good = () => serveAuthorization(carol, status.uri, note['id'])
    const accepts: [PeerActor, Activity][] = [
      [mallory, mallory.activity('Accept', request, { result: good() })],
      [
        otherHostActor,
        otherHostActor.activity('Accept', request, {
          result: serveAuthorization(otherHostActor, status.uri, note['id']),
        }),
      ],
      [carol, carol.activity('Accept', request)],
      [carol, carol.activity('Accept', request, { result: `${carol.id}/stamps/none` })],
      [
        carol,
        carol.activity('Accept', request, { result: serveAuthorization(otherHostActor, status.uri, note['id']) }),
      ],
      [carol, carol.activity('Accept', request, { result: serveAuthorization(mallory, status.uri, note['id']) })],
      [carol, carol.activity('Accept', request, { result: serveAuthorization(carol, note['id'], status.uri) })],
      [carol, carol.activity('Accept', { ...request, id: undefined, instrument: note['id'] }, { result: good() })],
    ]
    for (const [actor, accept] of accepts) await deliver(actor, accept)
    assert.equal(await stateOf(user, status.id), 'pending')
    await deliver(mallory, mallory.activity('Reject', request['id']))
    assert.equal(await stateOf(user, status.id), 'pending')
    await deliver(carol, carol.activity('Accept', { ...request, id: `${carol.id}/copies/1` }, { result: good() }))
    assert.equal(await stateOf(user, status.id), 'accepted')
    await deliver(mallory, mallory.activity('Reject', request['id']))
    assert.equal(await stateOf(user, status.id), 'accepted')
  })

  test('can read a followers-only status that quotes it, which is revealed to no other actor', async () => {
    const { carol, follower, status } = await quoteRemote({ visibility: 'private', status: 'among us' })
    assert.equal((await carol.get(status.uri)).status, 200)
    assert.equal((await (await makeActor()).get(status.uri)).status, 404)
    assert.equal((await next(follower, 'Create'))['object'].quote.startsWith('https://remote.test/'), true)
    assert.ok(!JSON.stringify(status.mentions).includes(carol.username))
  })

  test('gets no request if its policy denies quotes, and gets one if approval is manual', async () => {
    const [user, carol] = [await testServer.createUser(), await makeActor()]
    for (const [canQuote, status] of [
      [undefined, 404],
      [{ automaticApproval: [carol.id] }, 404],
      [{ automaticApproval: [carol.followersUrl] }, 404],
      [{ manualApproval: ['https://www.w3.org/ns/activitystreams#Public'] }, 200],
      [{ automaticApproval: ['https://other.test/x'] }, 200],
    ] as const) {
      const { id } = await recordNote(user, carol, { interactionPolicy: { canQuote } })
      const response = await user.client.post('/api/v1/statuses', { status: 'x', quoted_status_id: id })
      assert.equal(response.status, status, JSON.stringify(canQuote))
    }
    await testServer.waitForJobs()
    assert.equal(carol.inbox.all('QuoteRequest').length, 2)
  })

  test('cannot be quoted in a local-only status, because no request could be sent', async () => {
    const [user, carol] = [await testServer.createUser(), await makeActor()]
    const { id } = await recordNote(user, carol)
    const draft = { status: 'x', quoted_status_id: id, local_only: true }
    assert.equal((await user.client.post('/api/v1/statuses', draft)).status, 422)
  })

  test('ends the quote by deleting the quoted status, and the quoting note says so', async () => {
    const { user, carol, follower, note, status, request } = await quoteRemote()
    const result = serveAuthorization(carol, status.uri, note['id'])
    await deliver(carol, carol.activity('Accept', request, { result }), carol.activity('Delete', note['id']))
    assert.deepEqual((await readStatus(user, status.id)).quote, { state: 'deleted', quoted_status: null })
    const { json } = await follower.get(status.uri)
    assert.deepEqual(
      [json.quote, json.quoteUri, json.quoteAuthorization],
      [{ type: 'Tombstone' }, undefined, undefined],
    )
  })

  test('gets the Delete if the quoting note is deleted before the response', async () => {
    const { user, carol, quotedId, note, status, request } = await quoteRemote()
    await user.client.delete(`/api/v1/statuses/${status.id}`)
    assert.equal((await next(carol, 'Delete'))['object'].id, status.uri)
    await deliver(
      carol,
      carol.activity('Accept', request, { result: serveAuthorization(carol, status.uri, note['id']) }),
    )
    assert.equal((await readStatus(user, quotedId)).quotes_count, 0)
  })

  test('causes a notification of the local quoting user by editing the quoted status', async () => {
    const { user, carol, note, status, request } = await quoteRemote()
    await deliver(
      carol,
      carol.activity('Accept', request, { result: serveAuthorization(carol, status.uri, note['id']) }),
    )
    const edited = { ...note, content: '<p>Otherwise</p>', updated: new Date(Date.now() + 1000).toISOString() }
    await deliver(carol, carol.activity('Update', edited))
    assert.deepEqual((await notificationsOf(user)).slice(0, -1), ['quoted_update'])
  })
})

suite('a quote between local users', () => {
  test('is sent with a public quote authorization; a self-quote needs none', async () => {
    const [author, quoter, follower] = [await testServer.createUser(), await testServer.createUser(), await makeActor()]
    await deliver(follower, follower.activity('Follow', uriOf(quoter)), follower.activity('Follow', uriOf(author)))
    const quoted = await post(author)
    await next(follower, 'Create')
    const status = await post(quoter, { quoted_status_id: quoted.id })
    const { object } = await next(follower, 'Create')
    assert.deepEqual([object.quote, object.attributedTo], [quoted.uri, uriOf(quoter)])
    assert.ok(object.quoteAuthorization.startsWith(`${uriOf(author)}/quote_authorizations/`))
    const { status: code, json } = await follower.get(object.quoteAuthorization, { as: 'unsigned' })
    assert.equal(code, 200)
    assert.deepEqual(
      [json.type, json.attributedTo, json.interactingObject, json.interactionTarget],
      ['QuoteAuthorization', uriOf(author), status.uri, quoted.uri],
    )
    await post(author, { quoted_status_id: quoted.id })
    const own = (await next(follower, 'Create'))['object']
    assert.deepEqual([own.quote, own.quoteAuthorization], [quoted.uri, undefined])
    const path = new URL(object.quoteAuthorization).pathname
    for (const wrong of [
      path.replace(/[^/]+$/, crypto.randomUUID()),
      path.replace(/[^/]+$/, '1'),
      path.replace(/[^/]+$/, '%00'),
      path.replace(/users\/\d+/, `users/${quoter.accountId}`),
    ]) {
      assert.equal((await testServer.anonymous.get(wrong)).status, 404)
    }
  })

  test('VI5 that is not public has a quote authorization with an unguessable URL', async () => {
    const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
    const [follower, unknownActor] = [await makeActor(), await makeActor()]
    await deliver(follower, follower.activity('Follow', uriOf(quoter)))
    const quoted = await post(author)
    await post(quoter, { quoted_status_id: quoted.id, visibility: 'private' })
    const { quoteAuthorization } = (await next(follower, 'Create'))['object']
    assert.equal((await follower.get(quoteAuthorization)).status, 200)
    assert.equal((await unknownActor.get(quoteAuthorization, { as: 'unsigned' })).status, 200)
    assert.match(quoteAuthorization, /\/quote_authorizations\/[\da-f]{8}-[\da-f-]{27}$/)
  })

  test('causes a Delete of the authorization and Updates when it is revoked or the policy changes', async () => {
    const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
    const [follower, authorFollower] = [await makeActor(), await makeActor(other)]
    await deliver(follower, follower.activity('Follow', uriOf(quoter)))
    await deliver(authorFollower, authorFollower.activity('Follow', uriOf(author)))
    const quoted = await post(author)
    const status = await post(quoter, { quoted_status_id: quoted.id })
    const { quoteAuthorization } = (await next(follower, 'Create'))['object']
    await author.client.post(`/api/v1/statuses/${quoted.id}/quotes/${status.id}/revoke`)
    for (const actor of [follower, authorFollower])
      assert.equal((await next(actor, 'Delete'))['object'].id, quoteAuthorization)
    const { object } = await next(follower, 'Update')
    assert.deepEqual([object.quote, object.quoteUri, object.quoteAuthorization], [quoted.uri, undefined, undefined])
    await author.client.put(`/api/v1/statuses/${quoted.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
    const changed = (await next(authorFollower, 'Update'))['object']
    assert.deepEqual(
      [changed.id, changed.interactionPolicy, changed.updated],
      [quoted.uri, { canQuote: { automaticApproval: [uriOf(author)] } }, undefined],
    )
  })
})

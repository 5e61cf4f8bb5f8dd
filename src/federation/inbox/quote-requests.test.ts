import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { PeerActor } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import { openQuoting } from '../../../test/quoting.ts'

const quoting = await openQuoting()
after(quoting.close)
const { world, other, makeActor, post, see, stateOf, ask, deliver, notified, uriOf } = quoting

const watcher = await world.createPerson()

const answerTo = async ({ inbox }: PeerActor, { id }: Activity) =>
  (await inbox.next(({ type, object }) => ['Accept', 'Reject'].includes(type) && object.id === id)).activity

suite('somebody elsewhere', () => {
  test('may quote what everybody may: they hear where it is shown that they may, and who is quoted hears of it', async () => {
    const [author, carol] = [await world.createPerson(), await makeActor()]
    const quoted = await post(author)
    const { note, request } = ask(carol, quoted)
    await deliver(carol, request)
    const accept = await answerTo(carol, request)
    assert.deepEqual([accept['type'], accept['actor']], ['Accept', uriOf(author)])
    const { status, json } = await carol.get(accept['result'])
    assert.equal(status, 200)
    const { '@context': _context, ...consent } = json
    assert.deepEqual(consent, {
      id: accept['result'],
      type: 'QuoteAuthorization',
      attributedTo: uriOf(author),
      interactingObject: note['id'],
      interactionTarget: quoted.uri,
    })
    assert.deepEqual(await notified(author), ['quote'])
    assert.equal(await stateOf(watcher, note['id']), 'accepted')
    assert.equal((await see(watcher, quoted.id)).quotes_count, 1)
    const again = carol.activity('QuoteRequest', quoted.uri, { instrument: note['id'] })
    await deliver(carol, again)
    assert.equal((await answerTo(carol, again))['result'], accept['result'])
    assert.equal((await see(watcher, quoted.id)).quotes_count, 1)
    assert.deepEqual(await notified(author), ['quote'])
  })

  test('may ask with the address of a note that is here already, or that has to be fetched', async () => {
    const [author, carol] = [await world.createPerson(), await makeActor()]
    const quoted = await post(author)
    const sent = ask(carol, quoted)
    await deliver(carol, carol.activity('Create', sent.note))
    assert.equal(await stateOf(watcher, sent.note['id']), 'pending')
    assert.equal((await see(watcher, quoted.id)).quotes_count, 0)
    assert.deepEqual(await notified(author), [])
    const fetched = ask(carol, quoted)
    for (const { note, request } of [sent, fetched]) {
      await deliver(carol, { ...request, instrument: note['id'] })
      assert.equal((await answerTo(carol, request))['type'], 'Accept')
      assert.equal(await stateOf(watcher, note['id']), 'accepted')
    }
    const { rows } = { rows: (await author.client.get(`/api/v1/statuses/${quoted.id}/quotes`)).body }
    assert.equal(rows.length, 2)
  })

  test('is judged as people here are: by who follows, who is let, and who is blocked', async () => {
    const [author, fan, stranger, blocked] = [
      await world.createPerson(),
      await makeActor(),
      await makeActor(),
      await makeActor(),
    ]
    await deliver(fan, fan.activity('Follow', uriOf(author)))
    const { body } = await author.client.get('/api/v1/accounts/search', { q: `@${blocked.handle}`, resolve: true })
    await author.client.post(`/api/v1/accounts/${body[0].id}/block`)
    for (const [policy, may] of [
      ['public', [fan, stranger]],
      ['followers', [fan]],
      ['nobody', []],
    ] as const) {
      const quoted = await post(author, { quote_approval_policy: policy })
      for (const actor of [fan, stranger, blocked]) {
        const { note, request } = ask(actor, quoted)
        await deliver(actor, actor.activity('Create', note), request)
        const expected = (may as readonly PeerActor[]).includes(actor)
        assert.equal((await answerTo(actor, request))['type'], expected ? 'Accept' : 'Reject')
        assert.equal(await stateOf(watcher, note['id']), expected ? 'accepted' : 'rejected')
      }
      assert.equal((await see(watcher, quoted.id)).quotes_count, may.length)
    }
  })

  test('VI1 learns nothing of what they may not see, and quotes nothing that stays here', async () => {
    const [author, carol] = [await world.createPerson(), await makeActor()]
    for (const body of [{ visibility: 'private' }, { visibility: 'direct' }, { local_only: true }]) {
      const quoted = await post(author, body)
      const { note, request } = ask(carol, quoted)
      await deliver(carol, request)
      await world.settle()
      assert.deepEqual(carol.inbox.received, [])
      assert.equal(await quoting.findStatus(note['id']), undefined)
    }
    const fan = await makeActor()
    await deliver(fan, fan.activity('Follow', uriOf(author)))
    const quoted = await post(author, { visibility: 'private' })
    const { request } = ask(fan, quoted)
    await deliver(fan, request)
    assert.equal((await answerTo(fan, request))['type'], 'Reject')
  })

  test('quotes in private: who is quoted reads it, and the consent is found by whoever knows where it is', async () => {
    const [author, carol, stranger] = [await world.createPerson(), await makeActor(), await makeActor()]
    const quoted = await post(author)
    const { note, request } = ask(carol, quoted, { to: [carol.followersUrl], cc: [] })
    await deliver(carol, request)
    const { result } = await answerTo(carol, request)
    assert.equal(await stateOf(author, note['id']), 'accepted')
    assert.deepEqual(await notified(author), ['quote'])
    const { id } = await quoting.getStatus(note['id'])
    assert.equal((await watcher.client.get(`/api/v1/statuses/${id}`)).status, 404)
    assert.equal((await carol.get(result)).status, 200)
    assert.equal((await stranger.get(result)).status, 200)
    assert.match(result, /\/quote_authorizations\/[\da-f-]{36}$/)
    assert.deepEqual((await watcher.client.get(`/api/v1/statuses/${quoted.id}/quotes`)).body, [])
    assert.equal((await author.client.get(`/api/v1/statuses/${quoted.id}/quotes`)).body.length, 1)
  })

  test('IN29 asks only for a note of their own that quotes just this', async () => {
    const [author, carol, mallory, stranger] = [
      await world.createPerson(),
      await makeActor(),
      await makeActor(),
      await makeActor(other),
    ]
    const [quoted, another] = [await post(author), await post(author)]
    const { note } = ask(carol, quoted)
    const foreign = mallory.activity('QuoteRequest', quoted.uri, { instrument: note['id'] })
    await deliver(mallory, foreign)
    assert.equal((await answerTo(mallory, foreign))['type'], 'Reject')
    await deliver(stranger, stranger.activity('QuoteRequest', quoted.uri, { instrument: note }))
    const odd = carol.activity('QuoteRequest', another.uri, { instrument: note })
    const none = carol.activity('QuoteRequest', quoted.uri, { instrument: carol.note() })
    const gone = carol.activity('QuoteRequest', quoted.uri, { instrument: `${carol.id}/statuses/none` })
    for (const request of [odd, none, gone]) {
      await deliver(carol, request)
      assert.equal((await answerTo(carol, request))['type'], 'Reject')
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
    await world.settle()
    assert.deepEqual(stranger.inbox.received, [])
    assert.equal((await see(watcher, quoted.id)).quotes_count, 0)
    assert.deepEqual(await notified(author), [])
  })

  test('hears when somebody withdraws, and is not let again; nobody finds the consent any more', async () => {
    const [author, carol, fan] = [await world.createPerson(), await makeActor(), await makeActor(other)]
    await deliver(fan, fan.activity('Follow', uriOf(author)))
    const quoted = await post(author)
    const { note, request } = ask(carol, quoted)
    await deliver(carol, request)
    const { result } = await answerTo(carol, request)
    const { id } = await quoting.getStatus(note['id'])
    const { body } = await author.client.post(`/api/v1/statuses/${quoted.id}/quotes/${id}/revoke`)
    assert.equal(body.quote.state, 'revoked')
    for (const actor of [carol, fan]) {
      const { activity } = await actor.inbox.next(({ type }) => type === 'Delete')
      assert.deepEqual(
        [activity['actor'], activity['object'].id, activity['object'].type, activity['object'].interactingObject],
        [uriOf(author), result, 'QuoteAuthorization', note['id']],
      )
    }
    assert.equal((await carol.get(result)).status, 404)
    const again = carol.activity('QuoteRequest', quoted.uri, { instrument: note })
    await deliver(carol, again)
    assert.equal((await answerTo(carol, again))['type'], 'Reject')
    assert.equal(await stateOf(watcher, note['id']), 'revoked')
    assert.equal((await see(watcher, quoted.id)).quotes_count, 0)
    await deliver(
      carol,
      carol.activity('Update', { ...note, quoteAuthorization: result, updated: new Date().toISOString() }),
    )
    assert.equal(await stateOf(watcher, note['id']), 'revoked')
  })

  test('ends a quote by deleting the note, or by saying something else in it', async () => {
    const [author, carol] = [await world.createPerson(), await makeActor()]
    const [quoted, another] = [await post(author), await post(author)]
    const [first, second] = [ask(carol, quoted), ask(carol, quoted)]
    await deliver(carol, first.request, second.request)
    assert.equal((await see(watcher, quoted.id)).quotes_count, 2)
    await deliver(carol, carol.activity('Delete', first.note['id']))
    assert.equal((await see(watcher, quoted.id)).quotes_count, 1)
    assert.deepEqual(await notified(author), ['quote'])
    const edit = (fields: object) =>
      carol.activity('Update', { ...second.note, updated: new Date().toISOString(), ...fields })
    await deliver(carol, edit({ quote: another.uri }))
    assert.equal(await stateOf(watcher, second.note['id']), 'pending')
    assert.deepEqual(
      [(await see(watcher, quoted.id)).quotes_count, (await see(watcher, another.id)).quotes_count],
      [0, 0],
    )
    assert.deepEqual(await notified(author), [])
    await deliver(carol, edit({ quote: undefined }))
    assert.equal(await stateOf(watcher, second.note['id']), null)
  })
})

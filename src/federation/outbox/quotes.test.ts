import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import type { PeerActor } from '../../../test/peer/actor.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import { openQuoting } from '../../../test/quoting.ts'
import type { Person } from '../../../test/world.ts'

const quoting = await openQuoting()
after(quoting.close)
const { world, other, makeActor, post, see, deliver, notified, uriOf, serveConsent, recordNote } = quoting

const next = async ({ inbox }: PeerActor, type: string) =>
  (await inbox.next((activity) => activity['type'] === type)).activity

/** Somebody here, followed from `other`, quotes somebody at `remote`, who is asked. */
async function quoteRemote(body: Record<string, unknown> = {}) {
  const [person, carol, fan] = [await world.createPerson(), await makeActor(), await makeActor(other)]
  await deliver(fan, fan.activity('Follow', uriOf(person)))
  const { id: quotedId, note } = await recordNote(person, carol)
  const status = await post(person, { quoted_status_id: quotedId, ...body })
  return { person, carol, fan, quotedId, note, status, request: await next(carol, 'QuoteRequest') }
}

const stateOf = async (person: Person, id: string) => (await see(person, id)).quote?.state

suite('somebody elsewhere who is quoted', () => {
  test('is asked, and shown when they agree; everybody who has the note hears where they do', async () => {
    const { person, carol, fan, quotedId, note, status, request } = await quoteRemote()
    assert.deepEqual(status.quote, { state: 'pending', quoted_status: null })
    assert.deepEqual(
      [request['actor'], request['object'], request['instrument'].id, request['instrument'].quote],
      [uriOf(person), note['id'], status.uri, note['id']],
    )
    const created = (await next(fan, 'Create'))['object']
    for (const key of ['quote', 'quoteUri', '_misskey_quote']) assert.equal(created[key], note['id'])
    assert.equal(created.quoteAuthorization, undefined)
    assert.deepEqual(created.interactionPolicy.canQuote.automaticApproval, [
      'https://www.w3.org/ns/activitystreams#Public',
    ])
    assert.match(created.content, /^<p class="quote-inline">RE: /)

    const result = serveConsent(carol, status.uri, note['id'])
    await deliver(carol, carol.activity('Accept', request, { result }))
    const shown = await see(person, status.id)
    assert.deepEqual([shown.quote?.state, shown.edited_at], ['accepted', null])
    assert.equal((await see(person, quotedId)).quotes_count, 1)
    for (const actor of [fan, carol]) {
      const { id, object } = await next(actor, 'Update')
      assert.ok(id.startsWith(`${status.uri}#updates/`))
      assert.deepEqual([object.quoteAuthorization, object.quote, object.updated], [result, note['id'], undefined])
    }
    const { json } = await fan.get(status.uri)
    assert.equal(json.quoteAuthorization, result)
  })

  test('may refuse at once, or later, or take back what they agreed to; servers that ask nobody show it no more', async () => {
    for (const how of ['at once', 'later', 'taken back'] as const) {
      const { person, carol, fan, quotedId, note, status, request } = await quoteRemote()
      if (how !== 'at once') {
        const result = serveConsent(carol, status.uri, note['id'])
        await deliver(carol, carol.activity('Accept', request['id'], { result }))
        assert.equal(await stateOf(person, status.id), 'accepted')
        await next(fan, 'Update')
        if (how === 'taken back') await deliver(carol, carol.activity('Delete', result))
        else await deliver(carol, carol.activity('Reject', request['id']))
      } else await deliver(carol, carol.activity('Reject', request['id']))
      assert.equal(await stateOf(person, status.id), how === 'at once' ? 'rejected' : 'revoked')
      assert.equal((await see(person, quotedId)).quotes_count, 0)
      const { object } = await next(fan, 'Update')
      assert.deepEqual(
        [object.quote, object.quoteUri, object._misskey_quote, object.quoteAuthorization],
        [note['id'], undefined, undefined, undefined],
      )
      const result = serveConsent(carol, status.uri, note['id'])
      await deliver(carol, carol.activity('Accept', request, { result }))
      assert.notEqual(await stateOf(person, status.id), 'accepted')
    }
  })

  test('IN29 agrees only by what their own server shows, and only they do', async () => {
    const { person, carol, note, status, request } = await quoteRemote()
    const [mallory, stranger] = [await makeActor(), await makeActor(other)]
    const good = () => serveConsent(carol, status.uri, note['id'])
    const accepts: [PeerActor, Activity][] = [
      [mallory, mallory.activity('Accept', request, { result: good() })],
      [stranger, stranger.activity('Accept', request, { result: serveConsent(stranger, status.uri, note['id']) })],
      [carol, carol.activity('Accept', request)],
      [carol, carol.activity('Accept', request, { result: `${carol.id}/stamps/none` })],
      [carol, carol.activity('Accept', request, { result: serveConsent(stranger, status.uri, note['id']) })],
      [carol, carol.activity('Accept', request, { result: serveConsent(mallory, status.uri, note['id']) })],
      [carol, carol.activity('Accept', request, { result: serveConsent(carol, note['id'], status.uri) })],
      [carol, carol.activity('Accept', { ...request, id: undefined, instrument: note['id'] }, { result: good() })],
    ]
    for (const [actor, accept] of accepts) await deliver(actor, accept)
    assert.equal(await stateOf(person, status.id), 'pending')
    await deliver(mallory, mallory.activity('Reject', request['id']))
    assert.equal(await stateOf(person, status.id), 'pending')
    await deliver(carol, carol.activity('Accept', { ...request, id: `${carol.id}/copies/1` }, { result: good() }))
    assert.equal(await stateOf(person, status.id), 'accepted')
    await deliver(mallory, mallory.activity('Reject', request['id']))
    assert.equal(await stateOf(person, status.id), 'accepted')
  })

  test('can read what quotes them, whoever else may; nobody else hears of it', async () => {
    const { carol, fan, status } = await quoteRemote({ visibility: 'private', status: 'among us' })
    assert.equal((await carol.get(status.uri)).status, 200)
    assert.equal((await (await makeActor()).get(status.uri)).status, 404)
    assert.equal((await next(fan, 'Create'))['object'].quote.startsWith('https://remote.test/'), true)
    assert.ok(!JSON.stringify(status.mentions).includes(carol.username))
  })

  test('is not asked where their rules let nobody; and is where they look at each', async () => {
    const [person, carol] = [await world.createPerson(), await makeActor()]
    for (const [canQuote, status] of [
      [undefined, 404],
      [{ automaticApproval: [carol.id] }, 404],
      [{ automaticApproval: [carol.followersUrl] }, 404],
      [{ manualApproval: ['https://www.w3.org/ns/activitystreams#Public'] }, 200],
      [{ automaticApproval: ['https://other.test/x'] }, 200],
    ] as const) {
      const { id } = await recordNote(person, carol, { interactionPolicy: { canQuote } })
      const answer = await person.client.post('/api/v1/statuses', { status: 'x', quoted_status_id: id })
      assert.equal(answer.status, status, JSON.stringify(canQuote))
    }
    await world.settle()
    assert.equal(carol.inbox.all('QuoteRequest').length, 2)
  })

  test('is not quoted in what stays here: they could not be asked', async () => {
    const [person, carol] = [await world.createPerson(), await makeActor()]
    const { id } = await recordNote(person, carol)
    const draft = { status: 'x', quoted_status_id: id, local_only: true }
    assert.equal((await person.client.post('/api/v1/statuses', draft)).status, 422)
  })

  test('who deletes what is quoted ends the quote; the note says so', async () => {
    const { person, carol, fan, note, status, request } = await quoteRemote()
    const result = serveConsent(carol, status.uri, note['id'])
    await deliver(carol, carol.activity('Accept', request, { result }), carol.activity('Delete', note['id']))
    assert.deepEqual((await see(person, status.id)).quote, { state: 'deleted', quoted_status: null })
    const { json } = await fan.get(status.uri)
    assert.deepEqual(
      [json.quote, json.quoteUri, json.quoteAuthorization],
      [{ type: 'Tombstone' }, undefined, undefined],
    )
  })

  test('hears when the note that asks is deleted before they answered', async () => {
    const { person, carol, quotedId, note, status, request } = await quoteRemote()
    await person.client.delete(`/api/v1/statuses/${status.id}`)
    assert.equal((await next(carol, 'Delete'))['object'].id, status.uri)
    await deliver(carol, carol.activity('Accept', request, { result: serveConsent(carol, status.uri, note['id']) }))
    assert.equal((await see(person, quotedId)).quotes_count, 0)
  })

  test('who edits it tells whoever quotes it here', async () => {
    const { person, carol, note, status, request } = await quoteRemote()
    await deliver(carol, carol.activity('Accept', request, { result: serveConsent(carol, status.uri, note['id']) }))
    const edited = { ...note, content: '<p>Otherwise</p>', updated: new Date(Date.now() + 1000).toISOString() }
    await deliver(carol, carol.activity('Update', edited))
    assert.deepEqual((await notified(person)).slice(0, -1), ['quoted_update'])
  })
})

suite('a quote between people here', () => {
  test('leaves with the consent that everybody finds; oneself needs none', async () => {
    const [author, quoter, fan] = [await world.createPerson(), await world.createPerson(), await makeActor()]
    await deliver(fan, fan.activity('Follow', uriOf(quoter)), fan.activity('Follow', uriOf(author)))
    const quoted = await post(author)
    await next(fan, 'Create')
    const status = await post(quoter, { quoted_status_id: quoted.id })
    const { object } = await next(fan, 'Create')
    assert.deepEqual([object.quote, object.attributedTo], [quoted.uri, uriOf(quoter)])
    assert.ok(object.quoteAuthorization.startsWith(`${uriOf(author)}/quote_authorizations/`))
    const { status: code, json } = await fan.get(object.quoteAuthorization, { as: 'unsigned' })
    assert.equal(code, 200)
    assert.deepEqual(
      [json.type, json.attributedTo, json.interactingObject, json.interactionTarget],
      ['QuoteAuthorization', uriOf(author), status.uri, quoted.uri],
    )
    await post(author, { quoted_status_id: quoted.id })
    const own = (await next(fan, 'Create'))['object']
    assert.deepEqual([own.quote, own.quoteAuthorization], [quoted.uri, undefined])
    const path = new URL(object.quoteAuthorization).pathname
    for (const wrong of [
      path.replace(/[^/]+$/, crypto.randomUUID()),
      path.replace(/[^/]+$/, '1'),
      path.replace(/[^/]+$/, '%00'),
      path.replace(/users\/\d+/, `users/${quoter.accountId}`),
    ]) {
      assert.equal((await world.anonymous.get(wrong)).status, 404)
    }
  })

  test('VI5 that stays among few has its consent where nobody else can guess it', async () => {
    const [author, quoter] = [await world.createPerson(), await world.createPerson()]
    const [fan, stranger] = [await makeActor(), await makeActor()]
    await deliver(fan, fan.activity('Follow', uriOf(quoter)))
    const quoted = await post(author)
    await post(quoter, { quoted_status_id: quoted.id, visibility: 'private' })
    const { quoteAuthorization } = (await next(fan, 'Create'))['object']
    assert.equal((await fan.get(quoteAuthorization)).status, 200)
    assert.equal((await stranger.get(quoteAuthorization, { as: 'unsigned' })).status, 200)
    assert.match(quoteAuthorization, /\/quote_authorizations\/[\da-f]{8}-[\da-f-]{27}$/)
  })

  test('and its end, and who may quote what, are told to those who have the notes', async () => {
    const [author, quoter] = [await world.createPerson(), await world.createPerson()]
    const [fan, friend] = [await makeActor(), await makeActor(other)]
    await deliver(fan, fan.activity('Follow', uriOf(quoter)))
    await deliver(friend, friend.activity('Follow', uriOf(author)))
    const quoted = await post(author)
    const status = await post(quoter, { quoted_status_id: quoted.id })
    const { quoteAuthorization } = (await next(fan, 'Create'))['object']
    await author.client.post(`/api/v1/statuses/${quoted.id}/quotes/${status.id}/revoke`)
    for (const actor of [fan, friend]) assert.equal((await next(actor, 'Delete'))['object'].id, quoteAuthorization)
    const { object } = await next(fan, 'Update')
    assert.deepEqual([object.quote, object.quoteUri, object.quoteAuthorization], [quoted.uri, undefined, undefined])
    await author.client.put(`/api/v1/statuses/${quoted.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
    const changed = (await next(friend, 'Update'))['object']
    assert.deepEqual(
      [changed.id, changed.interactionPolicy, changed.updated],
      [quoted.uri, { canQuote: { automaticApproval: [uriOf(author)] } }, undefined],
    )
  })
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { hasten } from '../../../test/hasten.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import { PUBLIC } from '../../../test/peer/actor.ts'
import { answer } from '../../../test/peer/behaviour.ts'
import type { Activity } from '../../../test/peer/inbox.ts'
import { OPEN, openQuoting } from '../../../test/quoting.ts'

const quoting = await openQuoting()
after(quoting.close)
const { world, remote, other, makeActor, post, see, stateOf, ask, deliver, notified, uriOf, serveConsent } = quoting

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

  test('quotes in private: who is quoted reads it, and only readers find the consent', async () => {
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
    assert.equal((await stranger.get(result)).status, 404)
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

suite('a note of somebody elsewhere who quotes somebody else elsewhere', () => {
  /** A note by `carol`, whom somebody here follows, about one by `dave`; `claim` gives what it says of his consent. */
  async function quote(claim: (quotingId: string, quotedId: string) => Record<string, unknown>, fields = {}) {
    const [reader, carol, dave] = [await world.createPerson(), await makeActor(), await makeActor(other)]
    await quoting.befriend(reader, carol)
    const quoted = dave.note(fields)
    const note = carol.note()
    Object.assign(note, { quote: quoted['id'], ...claim(note['id'], quoted['id']) })
    await deliver(carol, carol.activity('Create', note))
    return { reader, carol, dave, quoted, note, state: await stateOf(reader, note['id']) }
  }

  test('shows it where its author’s own server says that they agree, and counts it', async () => {
    const consents: { author?: PeerActor } = {}
    const { reader, carol, dave, quoted, note } = await quote(() => ({}))
    consents.author = dave
    assert.equal(await stateOf(reader, note['id']), 'pending')
    assert.equal(await quoting.findStatus(quoted['id']), undefined)
    const quoteAuthorization = serveConsent(dave, note['id'], quoted['id'])
    await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
    const shown = await quoting.show(reader, note['id'])
    assert.deepEqual([shown.quote?.state, shown.edited_at], ['accepted', null])
    const { id } = await quoting.getStatus(quoted['id'])
    assert.equal((await see(reader, id)).quotes_count, 1)
    assert.equal((shown.quote as { quoted_status: { id: string } }).quoted_status.id, id)
  })

  test('says why it is kept from whoever blocks the domain, the author or both', async () => {
    const { reader, carol, dave, quoted, note } = await quote(() => ({}))
    const quoteAuthorization = serveConsent(dave, note['id'], quoted['id'])
    await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
    const { id, account_id: daveId } = await quoting.getStatus(quoted['id'])
    await reader.client.post(`/api/v1/accounts/${daveId}/mute`)
    assert.equal(await stateOf(reader, note['id']), 'muted_account')
    await reader.client.post('/api/v1/domain_blocks', { domain: 'other.test' })
    const { quote: shown } = await quoting.show(reader, note['id'])
    assert.equal(shown?.state, 'blocked_domain')
    assert.equal((shown as { quoted_status: { id: string } }).quoted_status.id, id)
    await reader.client.post(`/api/v1/accounts/${daveId}/block`)
    assert.equal(await stateOf(reader, note['id']), 'blocked_account')
    await deliver(dave, dave.activity('Block', uriOf(reader)))
    assert.equal(await stateOf(reader, note['id']), 'unauthorized')
  })

  test('IN29 is not believed when anything but just this is agreed to, or anybody else agrees', async () => {
    const mallory = await makeActor()
    for (const more of [
      { interactingObject: 'https://remote.test/elsewhere' },
      { interactionTarget: 'https://other.test/elsewhere' },
      { attributedTo: mallory.id },
      { attributedTo: undefined },
      { type: 'FeatureAuthorization' },
      { id: 'https://other.test/users/nobody/stamps/1' },
    ]) {
      const { reader, carol, dave, quoted, note } = await quote(() => ({}))
      const quoteAuthorization = serveConsent(dave, note['id'], quoted['id'], more)
      await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
      assert.equal(await stateOf(reader, note['id']), 'pending', JSON.stringify(more))
    }
    const { reader, carol, quoted, note } = await quote(() => ({}))
    const quoteAuthorization = serveConsent(mallory, note['id'], quoted['id'])
    await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
    assert.equal(await stateOf(reader, note['id']), 'pending')
    assert.equal(remote.countRequests(new URL(quoteAuthorization).pathname), 0)
  })

  test('hides it again when they take that back, even where only somebody else says so', async () => {
    for (const how of ['told', 'untold'] as const) {
      const { reader, carol, dave, quoted, note } = await quote(() => ({}))
      const quoteAuthorization = serveConsent(dave, note['id'], quoted['id'])
      await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
      assert.equal(await stateOf(reader, note['id']), 'accepted')
      const { id } = await quoting.getStatus(quoted['id'])
      if (how === 'told') {
        const foreign = carol.activity('Delete', { id: quoteAuthorization, type: 'QuoteAuthorization' })
        assert.equal(await quoting.answerTo(carol.send(foreign)), 202)
        await world.settle()
        assert.equal(await stateOf(reader, note['id']), 'accepted')
        await deliver(dave, dave.activity('Delete', { id: quoteAuthorization, type: 'QuoteAuthorization' }))
        assert.equal(await stateOf(reader, note['id']), 'revoked')
      } else {
        await deliver(carol, carol.activity('Update', note))
        assert.equal(await stateOf(reader, note['id']), 'pending')
      }
      assert.equal((await see(reader, id)).quotes_count, 0)
    }
  })

  test('a consent that somebody sends on as ended is looked at where it was', async () => {
    const { reader, carol, dave, quoted, note } = await quote(() => ({}))
    const quoteAuthorization = serveConsent(dave, note['id'], quoted['id'])
    await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
    const forwarded = () => ({
      ...dave.activity('Delete', { id: quoteAuthorization, type: 'QuoteAuthorization' }),
      signature: {
        type: 'RsaSignature2017',
        creator: dave.keyId,
        created: '2026-01-01T00:00:00Z',
        signatureValue: 'x',
      },
    })
    await deliver(carol, forwarded())
    assert.equal(await stateOf(reader, note['id']), 'accepted')
    other.withdraw(quoteAuthorization)
    await deliver(carol, forwarded())
    assert.equal(await stateOf(reader, note['id']), 'revoked')
  })

  test('is not shown where only keys say it that nobody agreed by, until somebody does', async () => {
    for (const key of ['quoteUri', '_misskey_quote', 'quoteUrl']) {
      const { reader, carol, dave, quoted, note, state } = await quote((_quoting, quoted) => ({
        quote: undefined,
        [key]: quoted,
      }))
      assert.equal(state, null)
      const quoteAuthorization = serveConsent(dave, note['id'], quoted['id'])
      await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
      assert.equal(await stateOf(reader, note['id']), 'accepted')
    }
  })

  test('what is not there for now is asked for again, and shown then', async () => {
    const [reader, carol, dave] = [await world.createPerson(), await makeActor(), await makeActor(other)]
    await quoting.befriend(reader, carol)
    const quoted = dave.note()
    const note = carol.note()
    const quoteAuthorization = serveConsent(dave, note['id'], quoted['id'])
    Object.assign(note, { quote: quoted['id'], quoteAuthorization })
    other.behave(new URL(quoteAuthorization).pathname, answer(503), { times: 1 })
    await deliver(carol, carol.activity('Create', note))
    await hasten(world.ctx, 'handleActivity')
    await world.settle()
    assert.equal(other.countRequests(new URL(quoteAuthorization).pathname), 2)
    assert.equal(await stateOf(reader, note['id']), 'accepted')
  })

  test('one who quotes themselves needs nobody’s consent, by whichever key', async () => {
    const [reader, carol] = [await world.createPerson(), await makeActor()]
    await quoting.befriend(reader, carol)
    for (const key of ['quote', 'quoteUri']) {
      const quoted = carol.note()
      const note = carol.note({ [key]: quoted['id'] })
      await deliver(carol, carol.activity('Create', note))
      assert.equal(await stateOf(reader, note['id']), 'accepted')
    }
  })

  test('what is quoted in it is looked into as deep as it is shown, and no deeper', async () => {
    const [reader, carol, dave] = [await world.createPerson(), await makeActor(), await makeActor(other)]
    await quoting.befriend(reader, carol)
    const notes = [dave.note()]
    for (const author of [dave, dave, dave]) notes.unshift(author.note({ quote: notes[0]!['id'] }))
    const note = carol.note()
    Object.assign(note, {
      quote: notes[0]!['id'],
      quoteAuthorization: serveConsent(dave, note['id'], notes[0]!['id']),
    })
    await deliver(carol, carol.activity('Create', note))
    const known = await Promise.all(notes.map(async ({ id }) => (await quoting.findStatus(id)) !== undefined))
    assert.deepEqual(known, [true, true, false, false])
    const shown = (await quoting.show(reader, note['id'])).quote as { quoted_status: { quote: unknown } }
    const { id } = await quoting.getStatus(notes[1]!['id'])
    assert.deepEqual(shown.quoted_status.quote, { state: 'accepted', quoted_status_id: id })
  })

  test('a circle of quotes comes to an end', async () => {
    const [reader, carol] = [await world.createPerson(), await makeActor()]
    await quoting.befriend(reader, carol)
    const [one, two] = [carol.note(), carol.note()]
    one['quote'] = two['id']
    two['quote'] = one['id']
    await deliver(carol, carol.activity('Create', one))
    assert.deepEqual([await stateOf(reader, one['id']), await stateOf(reader, two['id'])], ['accepted', 'accepted'])
    await deliver(carol, carol.activity('Delete', one['id']))
    assert.equal(await stateOf(reader, two['id']), 'deleted')
  })

  test('what was deleted is told as that', async () => {
    const [reader, carol] = [await world.createPerson(), await makeActor()]
    await quoting.befriend(reader, carol)
    const note = carol.note({ quote: { type: 'Tombstone' } })
    await deliver(carol, carol.activity('Create', note))
    assert.equal(await stateOf(reader, note['id']), 'deleted')
  })

  test('its author’s rules on who may quote it are told in our words', async () => {
    const [reader, carol] = [await world.createPerson(), await makeActor()]
    await quoting.befriend(reader, carol)
    const [followers, following] = [carol.followersUrl, `${carol.id}/following`]
    for (const [canQuote, automatic, manual, verdict] of [
      [{ automaticApproval: [PUBLIC] }, ['public'], [], 'automatic'],
      [{ automaticApproval: followers, manualApproval: [PUBLIC] }, ['followers'], ['public'], 'automatic'],
      [{ automaticApproval: [following], manualApproval: [PUBLIC] }, ['following'], ['public'], 'manual'],
      [{ automaticApproval: [carol.id] }, [], [], 'denied'],
      [{ automaticApproval: ['https://other.test/x'] }, ['unsupported_policy'], [], 'unknown'],
      [undefined, [], [], 'denied'],
    ] as const) {
      const note = carol.note({ interactionPolicy: { canQuote } })
      await deliver(carol, carol.activity('Create', note))
      const { quote_approval: approval } = await quoting.show(reader, note['id'])
      assert.deepEqual(approval, { automatic, manual, current_user: verdict })
    }
    const note = carol.note(OPEN)
    await deliver(
      carol,
      carol.activity('Create', note),
      carol.activity('Update', { ...note, interactionPolicy: undefined }),
    )
    assert.deepEqual((await quoting.show(reader, note['id'])).quote_approval.automatic, [])
  })
})

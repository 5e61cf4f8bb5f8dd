import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { hasten } from '../../../test/hasten.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'
import { PUBLIC } from '../../../test/peer/actor.ts'
import { answer } from '../../../test/peer/behaviour.ts'
import { OPEN, openQuoting } from '../../../test/quoting.ts'

const quoting = await openQuoting()
after(quoting.close)
const { world, remote, other, makeActor, see, stateOf, deliver, uriOf, serveConsent } = quoting

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

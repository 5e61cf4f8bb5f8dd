import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { makeJobsDue } from '../../../../test/jobs/make-jobs-due.ts'
import { PUBLIC } from '../../../../test/federation/peer/actor.ts'
import { respondWith } from '../../../../test/federation/peer/behaviour.ts'
import { ANYONE_MAY_QUOTE, openQuoteServers } from '../../../../test/federation/quote-servers.ts'

const quoting = await openQuoteServers()
after(quoting.close)
const { testServer, remote, other, makeActor, readStatus, stateOf, deliver, uriOf, serveAuthorization } = quoting

suite('a remote note that quotes a remote note', () => {
  /**
   * Delivers a note by `carol`, followed by a local user, that quotes one by `dave`. `claim` returns its quote
   * properties.
   */
  async function quote(claim: (quotingId: string, quotedId: string) => Record<string, unknown>, fields = {}) {
    const [reader, carol, dave] = [await testServer.createUser(), await makeActor(), await makeActor(other)]
    await quoting.followEachOther(reader, carol)
    const quoted = dave.note(fields)
    const note = carol.note()
    Object.assign(note, { quote: quoted['id'], ...claim(note['id'], quoted['id']) })
    await deliver(carol, carol.activity('Create', note))
    return { reader, carol, dave, quoted, note, state: await stateOf(reader, note['id']) }
  }

  test('is shown with the quote, which is counted, if the quoted author’s server serves an authorization', async () => {
    const { reader, carol, dave, quoted, note } = await quote(() => ({}))
    assert.equal(await stateOf(reader, note['id']), 'pending')
    assert.equal(await quoting.findStatus(quoted['id']), undefined)
    const quoteAuthorization = serveAuthorization(dave, note['id'], quoted['id'])
    await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
    const shown = await quoting.show(reader, note['id'])
    assert.deepEqual([shown.quote?.state, shown.edited_at], ['accepted', null])
    const { id } = await quoting.getStatus(quoted['id'])
    assert.equal((await readStatus(reader, id)).quotes_count, 1)
    assert.equal((shown.quote as { quoted_status: { id: string } }).quoted_status.id, id)
  })

  test('is shown without the quote, and with the reason, to users who mute or block its author or domain', async () => {
    const { reader, carol, dave, quoted, note } = await quote(() => ({}))
    const quoteAuthorization = serveAuthorization(dave, note['id'], quoted['id'])
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

  test('IN29 needs an authorization of exactly this quote by the quoted author', async () => {
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
      const quoteAuthorization = serveAuthorization(dave, note['id'], quoted['id'], more)
      await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
      assert.equal(await stateOf(reader, note['id']), 'pending', JSON.stringify(more))
    }
    const { reader, carol, quoted, note } = await quote(() => ({}))
    const quoteAuthorization = serveAuthorization(mallory, note['id'], quoted['id'])
    await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
    assert.equal(await stateOf(reader, note['id']), 'pending')
    assert.equal(remote.countRequests(new URL(quoteAuthorization).pathname), 0)
  })

  test('loses the quote when the authorization is revoked or removed from the note', async () => {
    for (const how of ['revoked', 'removed'] as const) {
      const { reader, carol, dave, quoted, note } = await quote(() => ({}))
      const quoteAuthorization = serveAuthorization(dave, note['id'], quoted['id'])
      await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
      assert.equal(await stateOf(reader, note['id']), 'accepted')
      const { id } = await quoting.getStatus(quoted['id'])
      if (how === 'revoked') {
        const foreign = carol.activity('Delete', { id: quoteAuthorization, type: 'QuoteAuthorization' })
        assert.equal(await quoting.waitForAnswer(carol.send(foreign)), 202)
        await testServer.waitForJobs()
        assert.equal(await stateOf(reader, note['id']), 'accepted')
        await deliver(dave, dave.activity('Delete', { id: quoteAuthorization, type: 'QuoteAuthorization' }))
        assert.equal(await stateOf(reader, note['id']), 'revoked')
      } else {
        await deliver(carol, carol.activity('Update', note))
        assert.equal(await stateOf(reader, note['id']), 'pending')
      }
      assert.equal((await readStatus(reader, id)).quotes_count, 0)
    }
  })

  test('loses the quote after a forwarded Delete only if its authorization is really gone', async () => {
    const { reader, carol, dave, quoted, note } = await quote(() => ({}))
    const quoteAuthorization = serveAuthorization(dave, note['id'], quoted['id'])
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

  test('loses the quote if the authorization has gone without a Delete, which is checked once a week', async () => {
    const { reader, carol, dave, quoted, note } = await quote(() => ({}))
    const quoteAuthorization = serveAuthorization(dave, note['id'], quoted['id'])
    const { pathname } = new URL(quoteAuthorization)
    const update = async () => deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
    const letWeekPass = async () =>
      sql`update quotes set updated_at = updated_at - interval '8 days'`.execute(testServer.ctx.db)
    const openThread = async () => {
      const { id } = await quoting.getStatus(note['id'])
      await sql`update statuses set created_at = created_at - interval '1 hour' where id = ${id}`.execute(
        testServer.ctx.db,
      )
      await reader.client.get(`/api/v1/statuses/${id}/context`)
      await testServer.waitForJobs()
    }
    await update()
    await update()
    assert.equal(other.countRequests(pathname), 1)
    await letWeekPass()
    other.behave(pathname, respondWith(503), { times: 1 })
    await update()
    await update()
    await update()
    assert.deepEqual([other.countRequests(pathname), await stateOf(reader, note['id'])], [3, 'accepted'])
    other.withdraw(quoteAuthorization)
    await letWeekPass()
    await openThread()
    assert.equal(await stateOf(reader, note['id']), 'revoked')
    await update()
    assert.equal(await stateOf(reader, note['id']), 'revoked')
  })

  test('with legacy quote properties is shown without the quote until there is an authorization', async () => {
    for (const key of ['quoteUri', '_misskey_quote', 'quoteUrl']) {
      const { reader, carol, dave, quoted, note, state } = await quote((_quoting, quoted) => ({
        quote: undefined,
        [key]: quoted,
      }))
      assert.equal(state, null)
      const quoteAuthorization = serveAuthorization(dave, note['id'], quoted['id'])
      await deliver(carol, carol.activity('Update', { ...note, quoteAuthorization }))
      assert.equal(await stateOf(reader, note['id']), 'accepted')
    }
  })

  test('is shown with the quote after a retry, if the authorization is temporarily unavailable', async () => {
    const [reader, carol, dave] = [await testServer.createUser(), await makeActor(), await makeActor(other)]
    await quoting.followEachOther(reader, carol)
    const quoted = dave.note()
    const note = carol.note()
    const quoteAuthorization = serveAuthorization(dave, note['id'], quoted['id'])
    Object.assign(note, { quote: quoted['id'], quoteAuthorization })
    other.behave(new URL(quoteAuthorization).pathname, respondWith(503), { times: 1 })
    await deliver(carol, carol.activity('Create', note))
    await makeJobsDue(testServer.ctx, 'processActivity')
    await testServer.waitForJobs()
    assert.equal(other.countRequests(new URL(quoteAuthorization).pathname), 2)
    assert.equal(await stateOf(reader, note['id']), 'accepted')
  })

  test('of the same author needs no authorization, with any quote property', async () => {
    const [reader, carol] = [await testServer.createUser(), await makeActor()]
    await quoting.followEachOther(reader, carol)
    for (const key of ['quote', 'quoteUri']) {
      const quoted = carol.note()
      const note = carol.note({ [key]: quoted['id'] })
      await deliver(carol, carol.activity('Create', note))
      assert.equal(await stateOf(reader, note['id']), 'accepted')
    }
  })

  test('has nested quotes that are fetched as deep as they are shown', async () => {
    const [reader, carol, dave] = [await testServer.createUser(), await makeActor(), await makeActor(other)]
    await quoting.followEachOther(reader, carol)
    const notes = [dave.note()]
    for (const author of [dave, dave, dave]) notes.unshift(author.note({ quote: notes[0]!['id'] }))
    const note = carol.note()
    Object.assign(note, {
      quote: notes[0]!['id'],
      quoteAuthorization: serveAuthorization(dave, note['id'], notes[0]!['id']),
    })
    await deliver(carol, carol.activity('Create', note))
    const known = await Promise.all(notes.map(async ({ id }) => (await quoting.findStatus(id)) !== undefined))
    assert.deepEqual(known, [true, true, false, false])
    const shown = (await quoting.show(reader, note['id'])).quote as { quoted_status: { quote: unknown } }
    const { id } = await quoting.getStatus(notes[1]!['id'])
    assert.deepEqual(shown.quoted_status.quote, { state: 'accepted', quoted_status_id: id })
  })

  test('can be part of a circle of quotes', async () => {
    const [reader, carol] = [await testServer.createUser(), await makeActor()]
    await quoting.followEachOther(reader, carol)
    const [one, two] = [carol.note(), carol.note()]
    one['quote'] = two['id']
    two['quote'] = one['id']
    await deliver(carol, carol.activity('Create', one))
    assert.deepEqual([await stateOf(reader, one['id']), await stateOf(reader, two['id'])], ['accepted', 'accepted'])
    await deliver(carol, carol.activity('Delete', one['id']))
    assert.equal(await stateOf(reader, two['id']), 'deleted')
  })

  test('can quote a deleted note', async () => {
    const [reader, carol] = [await testServer.createUser(), await makeActor()]
    await quoting.followEachOther(reader, carol)
    const note = carol.note({ quote: { type: 'Tombstone' } })
    await deliver(carol, carol.activity('Create', note))
    assert.equal(await stateOf(reader, note['id']), 'deleted')
  })

  test('is shown with its quote policy in the names of Mastodon’s API', async () => {
    const [reader, carol] = [await testServer.createUser(), await makeActor()]
    await quoting.followEachOther(reader, carol)
    const [followers, following] = [carol.followersUrl, `${carol.id}/following`]
    for (const [canQuote, automatic, manual, currentUser] of [
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
      assert.deepEqual(approval, { automatic, manual, current_user: currentUser })
    }
    const note = carol.note(ANYONE_MAY_QUOTE)
    await deliver(
      carol,
      carol.activity('Create', note),
      carol.activity('Update', { ...note, interactionPolicy: undefined }),
    )
    assert.deepEqual((await quoting.show(reader, note['id'])).quote_approval.automatic, [])
  })
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { newsOf, post, refuses, see, stateFor } from '../../../../../test/quotes.ts'
import { makeRemote, makeRemoteStatus } from '../../../../../test/remote.ts'
import { walkPages } from '../../../../../test/walk.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'

const world = await openWorld()
after(world.close)

const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]

suite('an edit', () => {
  test('keeps what is quoted, and the versions show it', async () => {
    const [first, second] = [await post(alice), await post(alice)]
    const { id } = await post(bob, { quoted_status_id: first.id })
    const { body } = await bob.client.put(`/api/v1/statuses/${id}`, { status: 'anew', quoted_status_id: second.id })
    assert.equal(body.quote.quoted_status.id, first.id)
    assert.match(body.content, /^<p class="quote-inline">.*<\/p><p>anew<\/p>$/)
    const { body: blank } = await bob.client.put(`/api/v1/statuses/${id}`, { status: '' })
    assert.match(blank.content, /^<p class="quote-inline">[^]*<\/p>$/)
    const { body: versions } = await bob.client.get(`/api/v1/statuses/${id}/history`)
    assert.equal(versions.length, 3)
    for (const version of versions) {
      assertOnWire('StatusEdit', version)
      assert.equal(version.quote.quoted_status.id, first.id)
    }
  })

  test('may change who may quote, and is none where that is all the same', async () => {
    const { id, edited_at: never } = await post(alice, { quote_approval_policy: 'nobody' })
    assert.equal(never, null)
    const edit = async (body: object) => (await alice.client.put(`/api/v1/statuses/${id}`, body)).body
    const same = await edit({ status: 'hello', quote_approval_policy: 'nobody' })
    assert.equal(same.edited_at, null)
    const kept = await edit({ status: 'hello again' })
    assert.deepEqual(kept.quote_approval.automatic, [])
    const open = await edit({ status: 'hello again', quote_approval_policy: 'public' })
    assert.deepEqual(open.quote_approval.automatic, ['public'])
    assert.notEqual(open.edited_at, kept.edited_at)
  })

  test('of what is quoted is told once to each who quotes it, anew each time', async () => {
    const [author, quoter] = [await world.createPerson(), await world.createPerson()]
    const { id } = await post(author)
    const quoting = await post(quoter, { quoted_status_id: id })
    for (const status of ['other', 'yet another']) {
      await author.client.put(`/api/v1/statuses/${id}`, { status })
      assert.deepEqual(await newsOf(world, quoter), [['quoted_update', quoting.id]])
    }
    const { body } = await quoter.client.get('/api/v1/notifications')
    assertOnWire('Notification', body[0])
    assert.equal(body[0].account.id, author.accountId)
  })
})

suite('its author', () => {
  test('withdraws from a quote, for good: it is shown to nobody, and not counted', async () => {
    const [author, quoter] = [await world.createPerson(), await world.createPerson()]
    const { id } = await post(author)
    const quoting = await post(quoter, { quoted_status_id: id })
    const revoke = (person: Person, quotingId = quoting.id, of = id) =>
      person.client.post(`/api/v1/statuses/${of}/quotes/${quotingId}/revoke`)
    assert.deepEqual((await revoke(quoter)).status, 403)
    assert.deepEqual((await revoke(author, id)).status, 404)
    assert.deepEqual((await revoke(author, quoting.id, quoting.id)).status, 404)
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await revoke(author)
      assert.equal(status, 200)
      assertOnWire('Status', body)
      assert.deepEqual([body.id, body.quote], [quoting.id, { state: 'revoked', quoted_status: null }])
    }
    for (const client of [author.client, quoter.client, world.anonymous]) {
      assert.equal(await stateFor(client, quoting.id), 'revoked')
    }
    assert.equal((await see(quoter.client, id)).quotes_count, 0)
    assert.deepEqual((await author.client.get(`/api/v1/statuses/${id}/quotes`)).body, [])
  })

  test('VI1 learns nothing of hidden statuses by withdrawing from them', async () => {
    const hidden = await post(alice, { visibility: 'private' })
    const { status, body } = await bob.client.post(`/api/v1/statuses/${hidden.id}/quotes/${hidden.id}/revoke`)
    assert.deepEqual([status, body], [404, { error: 'Record not found' }])
    const open = await post(alice)
    const revoke = (person: Person, quotingId: string) =>
      person.client.post(`/api/v1/statuses/${open.id}/quotes/${quotingId}/revoke`)
    const secret = await post(bob, { quoted_status_id: open.id, visibility: 'private' })
    const stranger = await world.createPerson()
    assert.deepEqual((await revoke(stranger, secret.id)).status, 404)
    const accountId = await makeRemote(world.ctx)
    const quote = { uri: open.uri, legacy: false, approvalUri: null }
    const unasked = await makeRemoteStatus(world.ctx, { accountId, visibility: 'private', quote })
    assert.deepEqual((await revoke(alice, unasked)).status, 404)
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/block`)
    assert.deepEqual((await revoke(alice, secret.id)).status, 200)
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/unblock`)
    for (const path of [`${hidden.id}/quotes`, '1/quotes']) {
      const answer = await bob.client.get(`/api/v1/statuses/${path}`)
      assert.deepEqual([answer.status, answer.body], [404, { error: 'Record not found' }])
    }
    const change = await bob.client.put(`/api/v1/statuses/${hidden.id}/interaction_policy`, {})
    assert.deepEqual([change.status, change.body], [404, { error: 'Record not found' }])
  })

  test('says who may quote without an edit; what was agreed to stays', async () => {
    const [author, quoter] = [await world.createPerson(), await world.createPerson()]
    const { id } = await post(author)
    const quoting = await post(quoter, { quoted_status_id: id })
    const path = `/api/v1/statuses/${id}/interaction_policy`
    const { status, body } = await author.client.put(path, { quote_approval_policy: 'nobody' })
    assert.equal(status, 200)
    assertOnWire('Status', body)
    assert.deepEqual([body.quote_approval.automatic, body.edited_at], [[], null])
    assert.equal(await stateFor(quoter.client, quoting.id), 'accepted')
    await refuses(quoter, { quoted_status_id: id })
    assert.deepEqual((await author.client.put(path, {})).body.quote_approval.automatic, ['public'])
    assert.equal((await author.client.put(path, { quote_approval_policy: 'friends' })).status, 422)
    assert.equal((await quoter.client.put(path, { quote_approval_policy: 'nobody' })).status, 404)
  })
})

suite('the list of quotes', () => {
  test('is walked page by page, shows its author all, and others what they may see and want to', async () => {
    const author = await world.createPerson()
    const { id } = await post(author)
    const quoters = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
    const quotes: { id: string; person: Person; visibility: string }[] = []
    for (const visibility of ['public', 'unlisted', 'private']) {
      for (const person of quoters) {
        quotes.push({ id: (await post(person, { quoted_status_id: id, visibility })).id, person, visibility })
      }
    }
    const latestFirst = quotes.toReversed()
    const [viewer, gone, follower] = [await world.createPerson(), quoters[2]!, await world.createPerson()]
    await viewer.client.post(`/api/v1/accounts/${quoters[0]!.accountId}/block`)
    await follower.client.post(`/api/v1/accounts/${quoters[1]!.accountId}/follow`)
    await gone.client.post(`/api/v1/accounts/${author.accountId}/block`)
    const path = `/api/v1/statuses/${id}/quotes`
    const walked = async ({ client }: Person) => (await walkPages(client, `${path}?limit=2`)).flat()
    const idsOf = (which: (one: (typeof quotes)[number]) => boolean) =>
      latestFirst.filter((one) => which(one)).map((one) => one.id)
    assert.deepEqual(
      await walked(author),
      idsOf(() => true),
    )
    assert.deepEqual(
      await walked(viewer),
      idsOf((one) => one.visibility !== 'private' && one.person !== quoters[0]),
    )
    assert.deepEqual(
      await walked(follower),
      idsOf((one) => one.visibility !== 'private' || one.person === quoters[1]),
    )
    assert.equal((await world.anonymous.get(path)).status, 401)
  })
})

suite('deleting', () => {
  test('what quotes takes the count back, and gives the quote back to its author to say it anew', async () => {
    const [author, quoter] = [await world.createPerson(), await world.createPerson()]
    const { id } = await post(author)
    const quoting = await post(quoter, { quoted_status_id: id })
    const revoked = await post(quoter, { quoted_status_id: id })
    await author.client.post(`/api/v1/statuses/${id}/quotes/${revoked.id}/revoke`)
    const { body } = await quoter.client.delete(`/api/v1/statuses/${quoting.id}`)
    assertOnWire('Status', body)
    assert.equal(body.quote.quoted_status.id, id)
    const { body: other } = await quoter.client.delete(`/api/v1/statuses/${revoked.id}`)
    assert.deepEqual([other.quote.state, other.quote.quoted_status.id], ['revoked', id])
    assert.equal((await see(author.client, id)).quotes_count, 0)
    assert.deepEqual(await newsOf(world, author), [])
  })

  test('what is quoted leaves the quote, and says that it is gone', async () => {
    const [author, quoter] = [await world.createPerson(), await world.createPerson()]
    const { id } = await post(author)
    const quoting = await post(quoter, { quoted_status_id: id })
    const outer = await post(carol, { quoted_status_id: quoting.id })
    await author.client.delete(`/api/v1/statuses/${id}`)
    assert.deepEqual((await see(quoter.client, quoting.id)).quote, { state: 'deleted', quoted_status: null })
    assert.deepEqual((await see(carol.client, outer.id)).quote.quoted_status.quote, {
      state: 'deleted',
      quoted_status_id: null,
    })
  })
})

test('masto.js quotes, finds who quotes, and says who may', async () => {
  const url = await world.listen()
  const [author, quoter] = [await world.createPerson(), await world.createPerson()]
  const [own, other] = [author, quoter].map(({ token }) => createRestAPIClient({ url, accessToken: token })) as [
    ReturnType<typeof createRestAPIClient>,
    ReturnType<typeof createRestAPIClient>,
  ]
  const quoted = await own.v1.statuses.create({ status: 'words', quoteApprovalPolicy: 'followers' })
  assert.deepEqual(quoted.quoteApproval, { automatic: ['followers'], manual: [], currentUser: 'automatic' })
  const draft = { status: 'look', quotedStatusId: quoted.id }
  await assert.rejects(other.v1.statuses.create(draft), { statusCode: 404 })
  await other.v1.accounts.$select(author.accountId).follow()
  const { id, quote } = await other.v1.statuses.create(draft)
  assert.ok(quote && 'quotedStatus' in quote)
  assert.deepEqual([quote.state, quote.quotedStatus?.id], ['accepted', quoted.id])
  const page = await own.v1.statuses.$select(quoted.id).quotes.list()
  assert.deepEqual(
    page.map((one) => one.id),
    [id],
  )
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import {
  notificationsOf,
  post,
  expectQuoteRejected,
  readStatus,
  quoteStateFor,
} from '../../../../../test/features/quotes.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../../test/federation/remote-records.ts'
import { walkPages } from '../../../../../test/http/walk-pages.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)

const [alice, bob, carol] = [
  await testServer.createUser(),
  await testServer.createUser(),
  await testServer.createUser(),
]

suite('an edit', () => {
  test('does not change the quoted status, which every version contains', async () => {
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
      assertEntity('StatusEdit', version)
      assert.equal(version.quote.quoted_status.id, first.id)
    }
  })

  test('may change the quote policy; an unchanged policy creates no version', async () => {
    const { id, edited_at: editedAt } = await post(alice, { quote_approval_policy: 'nobody' })
    assert.equal(editedAt, null)
    const edit = async (body: object) => (await alice.client.put(`/api/v1/statuses/${id}`, body)).body
    const same = await edit({ status: 'hello', quote_approval_policy: 'nobody' })
    assert.equal(same.edited_at, null)
    const unchanged = await edit({ status: 'hello again' })
    assert.deepEqual(unchanged.quote_approval.automatic, [])
    const changed = await edit({ status: 'hello again', quote_approval_policy: 'public' })
    assert.deepEqual(changed.quote_approval.automatic, ['public'])
    assert.notEqual(changed.edited_at, unchanged.edited_at)
  })

  test('of a quoted status replaces the notification of each quoting author', async () => {
    const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
    const { id } = await post(author)
    const quoting = await post(quoter, { quoted_status_id: id })
    for (const status of ['other', 'yet another']) {
      await author.client.put(`/api/v1/statuses/${id}`, { status })
      assert.deepEqual(await notificationsOf(testServer, quoter), [['quoted_update', quoting.id]])
    }
    const { body } = await quoter.client.get('/api/v1/notifications')
    assertEntity('Notification', body[0])
    assert.equal(body[0].account.id, author.accountId)
  })
})

suite('the quoted author', () => {
  test('revokes a quote for good: nobody sees the quoted status in it, and it is not counted', async () => {
    const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
    const { id } = await post(author)
    const quoting = await post(quoter, { quoted_status_id: id })
    const revoke = (user: TestUser, quotingId = quoting.id, quotedId = id) =>
      user.client.post(`/api/v1/statuses/${quotedId}/quotes/${quotingId}/revoke`)
    assert.deepEqual((await revoke(quoter)).status, 403)
    assert.deepEqual((await revoke(author, id)).status, 404)
    assert.deepEqual((await revoke(author, quoting.id, quoting.id)).status, 404)
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await revoke(author)
      assert.equal(status, 200)
      assertEntity('Status', body)
      assert.deepEqual([body.id, body.quote], [quoting.id, { state: 'revoked', quoted_status: null }])
    }
    for (const client of [author.client, quoter.client, testServer.anonymous]) {
      assert.equal(await quoteStateFor(client, quoting.id), 'revoked')
    }
    assert.equal((await readStatus(quoter.client, id)).quotes_count, 0)
    assert.deepEqual((await author.client.get(`/api/v1/statuses/${id}/quotes`)).body, [])
  })

  test('VI1 cannot probe hidden statuses by revoking quotes', async () => {
    const hidden = await post(alice, { visibility: 'private' })
    const { status, body } = await bob.client.post(`/api/v1/statuses/${hidden.id}/quotes/${hidden.id}/revoke`)
    assert.deepEqual([status, body], [404, { error: 'Record not found' }])
    const quoted = await post(alice)
    const revoke = (user: TestUser, quotingId: string) =>
      user.client.post(`/api/v1/statuses/${quoted.id}/quotes/${quotingId}/revoke`)
    const privateQuote = await post(bob, { quoted_status_id: quoted.id, visibility: 'private' })
    const unrelated = await testServer.createUser()
    assert.deepEqual((await revoke(unrelated, privateQuote.id)).status, 404)
    const accountId = await createRemoteAccount(testServer.ctx)
    const quote = { uri: quoted.uri, legacy: false, approvalUri: null }
    const unapproved = await createRemoteStatus(testServer.ctx, { accountId, visibility: 'private', quote })
    assert.deepEqual((await revoke(alice, unapproved)).status, 404)
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/block`)
    assert.deepEqual((await revoke(alice, privateQuote.id)).status, 200)
    await bob.client.post(`/api/v1/accounts/${alice.accountId}/unblock`)
    for (const path of [`${hidden.id}/quotes`, '1/quotes']) {
      const response = await bob.client.get(`/api/v1/statuses/${path}`)
      assert.deepEqual([response.status, response.body], [404, { error: 'Record not found' }])
    }
    const change = await bob.client.put(`/api/v1/statuses/${hidden.id}/interaction_policy`, {})
    assert.deepEqual([change.status, change.body], [404, { error: 'Record not found' }])
  })

  test('changes the quote policy without an edit; existing quotes stay accepted', async () => {
    const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
    const { id } = await post(author)
    const quoting = await post(quoter, { quoted_status_id: id })
    const path = `/api/v1/statuses/${id}/interaction_policy`
    const { status, body } = await author.client.put(path, { quote_approval_policy: 'nobody' })
    assert.equal(status, 200)
    assertEntity('Status', body)
    assert.deepEqual([body.quote_approval.automatic, body.edited_at], [[], null])
    assert.equal(await quoteStateFor(quoter.client, quoting.id), 'accepted')
    await expectQuoteRejected(quoter, { quoted_status_id: id })
    assert.deepEqual((await author.client.put(path, {})).body.quote_approval.automatic, ['public'])
    assert.equal((await author.client.put(path, { quote_approval_policy: 'friends' })).status, 422)
    assert.equal((await quoter.client.put(path, { quote_approval_policy: 'nobody' })).status, 404)
  })
})

suite('the list of quotes', () => {
  test('is paged; the author sees all quotes, other viewers those that are visible to them', async () => {
    const author = await testServer.createUser()
    const { id } = await post(author)
    const quoters = [await testServer.createUser(), await testServer.createUser(), await testServer.createUser()]
    const quotes: { id: string; author: TestUser; visibility: string }[] = []
    for (const visibility of ['public', 'unlisted', 'private']) {
      for (const quoter of quoters) {
        quotes.push({ id: (await post(quoter, { quoted_status_id: id, visibility })).id, author: quoter, visibility })
      }
    }
    const latestFirst = quotes.toReversed()
    const [viewer, blocker, follower] = [await testServer.createUser(), quoters[2]!, await testServer.createUser()]
    await viewer.client.post(`/api/v1/accounts/${quoters[0]!.accountId}/block`)
    await follower.client.post(`/api/v1/accounts/${quoters[1]!.accountId}/follow`)
    await blocker.client.post(`/api/v1/accounts/${author.accountId}/block`)
    const path = `/api/v1/statuses/${id}/quotes`
    const readQuotes = async ({ client }: TestUser) => (await walkPages(client, `${path}?limit=2`)).flat()
    const idsOf = (isIncluded: (quote: (typeof quotes)[number]) => boolean) =>
      latestFirst.filter((quote) => isIncluded(quote)).map((quote) => quote.id)
    assert.deepEqual(
      await readQuotes(author),
      idsOf(() => true),
    )
    assert.deepEqual(
      await readQuotes(viewer),
      idsOf((quote) => quote.visibility !== 'private' && quote.author !== quoters[0]),
    )
    assert.deepEqual(
      await readQuotes(follower),
      idsOf((quote) => quote.visibility !== 'private' || quote.author === quoters[1]),
    )
    assert.equal((await testServer.anonymous.get(path)).status, 401)
  })
})

suite('deleting a status', () => {
  test('that quotes decrements the count and returns the quote for a redraft', async () => {
    const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
    const { id } = await post(author)
    const quoting = await post(quoter, { quoted_status_id: id })
    const revoked = await post(quoter, { quoted_status_id: id })
    await author.client.post(`/api/v1/statuses/${id}/quotes/${revoked.id}/revoke`)
    const { body } = await quoter.client.delete(`/api/v1/statuses/${quoting.id}`)
    assertEntity('Status', body)
    assert.equal(body.quote.quoted_status.id, id)
    const { body: other } = await quoter.client.delete(`/api/v1/statuses/${revoked.id}`)
    assert.deepEqual([other.quote.state, other.quote.quoted_status.id], ['revoked', id])
    assert.equal((await readStatus(author.client, id)).quotes_count, 0)
    assert.deepEqual(await notificationsOf(testServer, author), [])
  })

  test('that is quoted sets the state of its quotes to deleted', async () => {
    const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
    const { id } = await post(author)
    const quoting = await post(quoter, { quoted_status_id: id })
    const outer = await post(carol, { quoted_status_id: quoting.id })
    await author.client.delete(`/api/v1/statuses/${id}`)
    assert.deepEqual((await readStatus(quoter.client, quoting.id)).quote, { state: 'deleted', quoted_status: null })
    assert.deepEqual((await readStatus(carol.client, outer.id)).quote.quoted_status.quote, {
      state: 'deleted',
      quoted_status_id: null,
    })
  })
})

test('masto.js creates and lists quotes and sets the quote policy', async () => {
  const url = await testServer.listen()
  const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
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
    page.map((status) => status.id),
    [id],
  )
})

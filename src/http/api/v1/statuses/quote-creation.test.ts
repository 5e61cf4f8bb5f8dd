import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import {
  notificationsOf,
  post,
  expectQuoteRejected,
  readStatus,
  quoteStateFor,
} from '../../../../../test/features/quotes.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)

const [alice, bob, carol] = [
  await testServer.createUser(),
  await testServer.createUser(),
  await testServer.createUser(),
]

test('a quote contains the quoted status and a fallback link, is counted and notifies the quoted author', async () => {
  const [ann, ben] = [await testServer.createUser(), await testServer.createUser()]
  const quoted = await post(ann, { status: 'worth quoting' })
  const quoting = await post(ben, { status: 'look', quoted_status_id: quoted.id })
  assert.deepEqual([quoting.quote.state, quoting.quote.quoted_status.id], ['accepted', quoted.id])
  assert.equal(quoting.quote.quoted_status.quote, null)
  assert.match(quoting.content, /^<p class="quote-inline">RE: <a href="[^"]+"[^>]*>.*<\/a><\/p><p>look<\/p>$/)
  assert.ok(quoting.content.includes(`href="${quoted.url}"`))
  assert.deepEqual(quoting.mentions, [])
  assert.equal((await readStatus(ann.client, quoted.id)).quotes_count, 1)
  assert.deepEqual(await notificationsOf(testServer, ann), [['quote', quoting.id]])
  const again = await post(ben, { status: `see ${quoted.url}`, quoted_status_id: quoted.id })
  assert.ok(!again.content.includes('quote-inline'))
  const { body: list } = await ann.client.get(`/api/v1/statuses/${quoted.id}/quotes`)
  assert.deepEqual(
    list.map(({ id }: { id: string }) => id),
    [again.id, quoting.id],
  )
  for (const status of list) assertEntity('Status', status)
})

test('a quote of a quote contains only the id of the inner quoted status', async () => {
  const first = await post(alice)
  const second = await post(bob, { quoted_status_id: first.id })
  const third = await post(carol, { quoted_status_id: second.id })
  assert.deepEqual(third.quote.quoted_status.quote, { state: 'accepted', quoted_status_id: first.id })
  const { body: reblog } = await alice.client.post(`/api/v1/statuses/${third.id}/reblog`)
  assertEntity('Status', reblog)
  assert.equal(reblog.quote, null)
  assert.deepEqual(reblog.reblog.quote.quoted_status.quote, { state: 'accepted', quoted_status_id: first.id })
  assert.deepEqual(reblog.quote_approval, reblog.reblog.quote_approval)
})

test('a quote of a boost quotes the boosted status', async () => {
  const { id } = await post(alice)
  const { body: reblog } = await bob.client.post(`/api/v1/statuses/${id}/reblog`)
  const quoting = await post(carol, { quoted_status_id: reblog.id })
  assert.equal(quoting.quote.quoted_status.id, id)
})

test('VI1 a status that the user may not see or quote gets the response of an unknown status', async () => {
  const own = await Promise.all(
    ['public', 'unlisted', 'private', 'direct'].map((visibility) => post(alice, { visibility })),
  )
  await carol.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await testServer.waitForJobs()
  for (const [n, user, isAllowed] of [
    [0, bob, true],
    [1, bob, true],
    [2, bob, false],
    [3, bob, false],
    [2, carol, false],
    [0, alice, true],
    [1, alice, true],
    [2, alice, true],
    [3, alice, false],
  ] as const) {
    const quote = { quoted_status_id: own[n].id }
    if (isAllowed) await post(user, quote)
    else await expectQuoteRejected(user, quote)
  }
  for (const id of ['1', '-1', 'x', '99999999999999999999', '1e400'])
    await expectQuoteRejected(bob, { quoted_status_id: id })
})

test('the quote policy of the author or of the status allows quotes by everyone, followers or nobody', async () => {
  const [author, fan, unrelated] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  await fan.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  const approvalsOf = async (id: string) =>
    Promise.all(
      [author.client, fan.client, unrelated.client, testServer.anonymous].map(
        async (client) => (await readStatus(client, id)).quote_approval.current_user,
      ),
    )
  for (const [policy, automatic, expected] of [
    ['public', ['public'], ['automatic', 'automatic', 'automatic', 'denied']],
    ['followers', ['followers'], ['automatic', 'automatic', 'denied', 'denied']],
    ['nobody', [], ['automatic', 'denied', 'denied', 'denied']],
  ] as const) {
    await author.client.patch('/api/v1/accounts/update_credentials', { source: { quote_policy: policy } })
    const other = policy === 'public' ? 'nobody' : 'public'
    for (const { id } of [
      await post(author, { quote_approval_policy: policy }),
      await post(author),
      (
        await author.client.put(
          `/api/v1/statuses/${(await post(author, { quote_approval_policy: other })).id}/interaction_policy`,
          { quote_approval_policy: policy },
        )
      ).body,
    ]) {
      assert.deepEqual((await readStatus(author.client, id)).quote_approval.automatic, automatic)
      assert.deepEqual((await readStatus(author.client, id)).quote_approval.manual, [])
      assert.deepEqual(await approvalsOf(id), expected)
      for (const [user, approval] of [
        [author, expected[0]],
        [fan, expected[1]],
        [unrelated, expected[2]],
      ] as const) {
        if (approval === 'automatic') await post(user, { quoted_status_id: id })
        else await expectQuoteRejected(user, { quoted_status_id: id })
      }
    }
  }
  for (const visibility of ['private', 'direct']) {
    const { quote_approval: quoteApproval } = await post(author, { visibility, quote_approval_policy: 'public' })
    assert.deepEqual(quoteApproval, {
      automatic: [],
      manual: [],
      current_user: visibility === 'direct' ? 'denied' : 'automatic',
    })
  }
})

test('FP1 a block prevents quotes in both directions', async () => {
  const [ann, ben] = [await testServer.createUser(), await testServer.createUser()]
  const [annPost, benPost] = [await post(ann), await post(ben)]
  await ann.client.post(`/api/v1/accounts/${ben.accountId}/block`)
  await expectQuoteRejected(ann, { quoted_status_id: benPost.id })
  await expectQuoteRejected(ben, { quoted_status_id: annPost.id })
  assert.equal((await readStatus(ann.client, benPost.id)).quote_approval.current_user, 'denied')
  assert.equal((await readStatus(ann.client, annPost.id)).quotes_count, 0)
})

test('the state of a quote follows the viewer’s blocks, mutes and permissions', async () => {
  const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
  const quoted = await post(author)
  const { id } = await post(quoter, { quoted_status_id: quoted.id })
  const [blocker, muter, blocked] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  await blocker.client.post(`/api/v1/accounts/${author.accountId}/block`)
  await muter.client.post(`/api/v1/accounts/${author.accountId}/mute`)
  await author.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  for (const [client, state, isVisible] of [
    [testServer.anonymous, 'accepted', true],
    [quoter.client, 'accepted', true],
    [blocker.client, 'blocked_account', true],
    [muter.client, 'muted_account', true],
    [blocked.client, 'unauthorized', false],
  ] as const) {
    const { quote } = await readStatus(client, id)
    assert.deepEqual([quote.state, quote.quoted_status?.id], [state, isVisible ? quoted.id : undefined])
    const outer = await post(muter, { quoted_status_id: id })
    const inner = (await readStatus(client, outer.id)).quote.quoted_status.quote
    assert.deepEqual(inner, { state, quoted_status_id: isVisible ? quoted.id : null })
  }
})

test('a private status can be quoted only by its author; the quote is private', async () => {
  const [author, fan, other] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const quoted = await post(author, { visibility: 'private' })
  const quoting = await post(author, { quoted_status_id: quoted.id, visibility: 'public' })
  assert.equal(quoting.visibility, 'private')
  await fan.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  assert.equal(await quoteStateFor(fan.client, quoting.id), 'accepted')
  assert.equal((await other.client.get(`/api/v1/statuses/${quoting.id}`)).status, 404)
  const direct = await post(author, {
    status: `@${other.username}`,
    quoted_status_id: quoted.id,
    visibility: 'direct',
  })
  assert.equal(direct.visibility, 'direct')
  const seen = await readStatus(other.client, direct.id)
  assert.deepEqual(seen.quote, { state: 'unauthorized', quoted_status: null })
  assert.ok(!JSON.stringify(seen).includes(`"${quoted.id}"`))
})

test('a direct quote must mention the quoted author', async () => {
  const { id } = await post(alice)
  const draft = { visibility: 'direct', quoted_status_id: id }
  const rejected = await bob.client.post('/api/v1/statuses', { ...draft, status: `@${carol.username}` })
  assert.deepEqual([rejected.status, Object.keys(rejected.body)], [422, ['error']])
  await post(bob, { ...draft, status: `@${alice.username}` })
  await post(alice, { ...draft, status: 'to myself' })
})

test('the quoted author may read the quote, whatever its visibility', async () => {
  const [author, quoter] = [await testServer.createUser(), await testServer.createUser()]
  const { id } = await post(author)
  const quoting = await post(quoter, { quoted_status_id: id, visibility: 'private' })
  assert.deepEqual(quoting.mentions, [])
  assert.equal(await quoteStateFor(author.client, quoting.id), 'accepted')
  assert.deepEqual(await notificationsOf(testServer, author), [['quote', quoting.id]])
  assert.equal((await carol.client.get(`/api/v1/statuses/${quoting.id}`)).status, 404)
})

test('a quote may have an empty text; its content warning stays a warning', async () => {
  const { id } = await post(alice)
  const blank = await post(bob, { status: '', quoted_status_id: id })
  assert.match(blank.content, /^<p class="quote-inline">RE: .*<\/p>$/)
  const warned = await post(bob, { status: '', spoiler_text: 'careful', quoted_status_id: id })
  assert.equal(warned.spoiler_text, 'careful')
  const { status } = await bob.client.post('/api/v1/statuses', { status: '', quoted_status_id: '' })
  assert.equal(status, 422)
})

test('a quote of a local-only status is local-only', async () => {
  const { id } = await post(alice, { local_only: true })
  const quoting = await post(bob, { quoted_status_id: id })
  assert.equal(quoting.local_only, true)
  assert.equal((await testServer.anonymous.get(`/api/v1/statuses/${quoting.id}`)).status, 404)
})

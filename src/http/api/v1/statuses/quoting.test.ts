import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newsOf, post, refuses, see, stateFor } from '../../../../../test/quotes.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'

const world = await openWorld()
after(world.close)

const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]

test('a quote shows what it quotes, links to it for those who know no quotes, counts, and is told to its author', async () => {
  const [ann, ben] = [await world.createPerson(), await world.createPerson()]
  const quoted = await post(ann, { status: 'worth quoting' })
  const quoting = await post(ben, { status: 'look', quoted_status_id: quoted.id })
  assert.deepEqual([quoting.quote.state, quoting.quote.quoted_status.id], ['accepted', quoted.id])
  assert.equal(quoting.quote.quoted_status.quote, null)
  assert.match(quoting.content, /^<p class="quote-inline">RE: <a href="[^"]+"[^>]*>.*<\/a><\/p><p>look<\/p>$/)
  assert.ok(quoting.content.includes(`href="${quoted.url}"`))
  assert.deepEqual(quoting.mentions, [])
  assert.equal((await see(ann.client, quoted.id)).quotes_count, 1)
  assert.deepEqual(await newsOf(world, ann), [['quote', quoting.id]])
  const again = await post(ben, { status: `see ${quoted.url}`, quoted_status_id: quoted.id })
  assert.ok(!again.content.includes('quote-inline'))
  const { body: list } = await ann.client.get(`/api/v1/statuses/${quoted.id}/quotes`)
  assert.deepEqual(
    list.map(({ id }: { id: string }) => id),
    [again.id, quoting.id],
  )
  for (const one of list) assertOnWire('Status', one)
})

test('a quote of a quote shows the inner one by its id alone', async () => {
  const first = await post(alice)
  const second = await post(bob, { quoted_status_id: first.id })
  const third = await post(carol, { quoted_status_id: second.id })
  assert.deepEqual(third.quote.quoted_status.quote, { state: 'accepted', quoted_status_id: first.id })
  const { body: boost } = await alice.client.post(`/api/v1/statuses/${third.id}/reblog`)
  assertOnWire('Status', boost)
  assert.equal(boost.quote, null)
  assert.deepEqual(boost.reblog.quote.quoted_status.quote, { state: 'accepted', quoted_status_id: first.id })
  assert.deepEqual(boost.quote_approval, boost.reblog.quote_approval)
})

test('a quote of a boost quotes what that boosts', async () => {
  const { id } = await post(alice)
  const { body: boost } = await bob.client.post(`/api/v1/statuses/${id}/reblog`)
  const quoting = await post(carol, { quoted_status_id: boost.id })
  assert.equal(quoting.quote.quoted_status.id, id)
})

test('VI1 only what one may see, and may quote, can be quoted; all else is as if it were not there', async () => {
  const mine = await Promise.all(
    ['public', 'unlisted', 'private', 'direct'].map((visibility) => post(alice, { visibility })),
  )
  await carol.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await world.settle()
  for (const [n, person, may] of [
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
    const quote = { quoted_status_id: mine[n].id }
    if (may) await post(person, quote)
    else await refuses(person, quote)
  }
  for (const id of ['1', '-1', 'x', '99999999999999999999', '1e400']) await refuses(bob, { quoted_status_id: id })
})

test('its author says who may quote a post: everybody, followers or nobody, as they always do or for this one', async () => {
  const [author, fan, stranger] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  await fan.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  const verdicts = async (id: string) =>
    Promise.all(
      [author.client, fan.client, stranger.client, world.anonymous].map(
        async (client) => (await see(client, id)).quote_approval.current_user,
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
      assert.deepEqual((await see(author.client, id)).quote_approval.automatic, automatic)
      assert.deepEqual((await see(author.client, id)).quote_approval.manual, [])
      assert.deepEqual(await verdicts(id), expected)
      for (const [person, verdict] of [
        [author, expected[0]],
        [fan, expected[1]],
        [stranger, expected[2]],
      ] as const) {
        if (verdict === 'automatic') await post(person, { quoted_status_id: id })
        else await refuses(person, { quoted_status_id: id })
      }
    }
  }
  for (const visibility of ['private', 'direct']) {
    const { quote_approval: approval } = await post(author, { visibility, quote_approval_policy: 'public' })
    assert.deepEqual(approval, {
      automatic: [],
      manual: [],
      current_user: visibility === 'direct' ? 'denied' : 'automatic',
    })
  }
})

test('FP1 nobody quotes somebody whom they block, or who blocks them', async () => {
  const [ann, ben] = [await world.createPerson(), await world.createPerson()]
  const [annPost, benPost] = [await post(ann), await post(ben)]
  await ann.client.post(`/api/v1/accounts/${ben.accountId}/block`)
  await refuses(ann, { quoted_status_id: benPost.id })
  await refuses(ben, { quoted_status_id: annPost.id })
  assert.equal((await see(ann.client, benPost.id)).quote_approval.current_user, 'denied')
  assert.equal((await see(ann.client, annPost.id)).quotes_count, 0)
})

test('what is quoted is for each as they may see it and as they want to', async () => {
  const [author, quoter] = [await world.createPerson(), await world.createPerson()]
  const quoted = await post(author)
  const { id } = await post(quoter, { quoted_status_id: quoted.id })
  const [blocker, muter, blocked] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  await blocker.client.post(`/api/v1/accounts/${author.accountId}/block`)
  await muter.client.post(`/api/v1/accounts/${author.accountId}/mute`)
  await author.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  for (const [client, state, isThere] of [
    [world.anonymous, 'accepted', true],
    [quoter.client, 'accepted', true],
    [blocker.client, 'blocked_account', true],
    [muter.client, 'muted_account', true],
    [blocked.client, 'unauthorized', false],
  ] as const) {
    const { quote } = await see(client, id)
    assert.deepEqual([quote.state, quote.quoted_status?.id], [state, isThere ? quoted.id : undefined])
    const outer = await post(muter, { quoted_status_id: id })
    const inner = (await see(client, outer.id)).quote.quoted_status.quote
    assert.deepEqual(inner, { state, quoted_status_id: isThere ? quoted.id : null })
  }
})

test('what is for followers can be quoted by its author alone, for followers, who see it', async () => {
  const [author, fan, other] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const quoted = await post(author, { visibility: 'private' })
  const quoting = await post(author, { quoted_status_id: quoted.id, visibility: 'public' })
  assert.equal(quoting.visibility, 'private')
  await fan.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  assert.equal(await stateFor(fan.client, quoting.id), 'accepted')
  assert.equal((await other.client.get(`/api/v1/statuses/${quoting.id}`)).status, 404)
  const direct = await post(author, {
    status: `@${other.username}`,
    quoted_status_id: quoted.id,
    visibility: 'direct',
  })
  assert.equal(direct.visibility, 'direct')
  const shown = await see(other.client, direct.id)
  assert.deepEqual(shown.quote, { state: 'unauthorized', quoted_status: null })
  assert.ok(!JSON.stringify(shown).includes(`"${quoted.id}"`))
})

test('a direct post has to mention whom it quotes', async () => {
  const { id } = await post(alice)
  const draft = { visibility: 'direct', quoted_status_id: id }
  const refused = await bob.client.post('/api/v1/statuses', { ...draft, status: `@${carol.username}` })
  assert.deepEqual([refused.status, Object.keys(refused.body)], [422, ['error']])
  await post(bob, { ...draft, status: `@${alice.username}` })
  await post(alice, { ...draft, status: 'to myself' })
})

test('whoever is quoted may read it, whoever else may', async () => {
  const [author, quoter] = [await world.createPerson(), await world.createPerson()]
  const { id } = await post(author)
  const quoting = await post(quoter, { quoted_status_id: id, visibility: 'private' })
  assert.deepEqual(quoting.mentions, [])
  assert.equal(await stateFor(author.client, quoting.id), 'accepted')
  assert.deepEqual(await newsOf(world, author), [['quote', quoting.id]])
  assert.equal((await carol.client.get(`/api/v1/statuses/${quoting.id}`)).status, 404)
})

test('a quote may say nothing more; a warning before it stays one', async () => {
  const { id } = await post(alice)
  const blank = await post(bob, { status: '', quoted_status_id: id })
  assert.match(blank.content, /^<p class="quote-inline">RE: .*<\/p>$/)
  const warned = await post(bob, { status: '', spoiler_text: 'careful', quoted_status_id: id })
  assert.equal(warned.spoiler_text, 'careful')
  const { status } = await bob.client.post('/api/v1/statuses', { status: '', quoted_status_id: '' })
  assert.equal(status, 422)
})

test('what stays on this server is quoted only in what stays here, too', async () => {
  const { id } = await post(alice, { local_only: true })
  const quoting = await post(bob, { quoted_status_id: id })
  assert.equal(quoting.local_only, true)
  assert.equal((await world.anonymous.get(`/api/v1/statuses/${quoting.id}`)).status, 404)
})

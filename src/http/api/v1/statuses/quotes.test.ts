import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import type { Client } from '../../../../../test/client.ts'
import { walkPages } from '../../../../../test/walk.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'

const world = await openWorld()
after(world.close)

const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]

async function post(person: Person, body: Record<string, unknown> = {}) {
  const answer = await person.client.post('/api/v1/statuses', { status: 'hello', ...body })
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assertOnWire('Status', answer.body)
  return answer.body
}

async function see(client: Client, id: string) {
  const { status, body } = await client.get(`/api/v1/statuses/${id}`)
  assert.equal(status, 200)
  assertOnWire('Status', body)
  return body
}

const stateFor = async (client: Client, id: string) => (await see(client, id)).quote.state

const ABSENT = 'The post you are trying to quote does not appear to exist.'

async function refuses(person: Person, body: Record<string, unknown>): Promise<void> {
  const answer = await person.client.post('/api/v1/statuses', { status: 'about it', ...body })
  assert.deepEqual([answer.status, answer.body], [404, { error: ABSENT }], JSON.stringify(body))
}

const newsOf = async (person: Person) => {
  await world.settle()
  const { body } = await person.client.get('/api/v1/notifications')
  return body.map(({ type, status }: { type: string; status?: { id: string } }) => [type, status?.id])
}

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
  assert.deepEqual(await newsOf(ann), [['quote', quoting.id]])
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
  assert.deepEqual(await newsOf(author), [['quote', quoting.id]])
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
      assert.deepEqual(await newsOf(quoter), [['quoted_update', quoting.id]])
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
    assert.deepEqual(await newsOf(author), [])
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

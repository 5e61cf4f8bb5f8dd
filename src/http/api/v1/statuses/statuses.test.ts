import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import type { Context } from '../../../../entities/status.ts'
import type { Status } from '../../../../entities/status.ts'

const world = await openWorld()
after(world.close)

async function post(person: Person, body: Record<string, unknown>): Promise<Status> {
  const answer = await person.client.post<Status>('/api/v1/statuses', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body
}

async function follow(person: Person, target: Person): Promise<void> {
  const { accountId } = person
  await world.ctx.write(({ db }) =>
    db.insertInto('follows').values({ account_id: accountId, target_account_id: target.accountId }).execute(),
  )
}

test('a posted status is on the wire as Mastodon has it, and reaches the home timelines of author and followers', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  await follow(bob, alice)
  const status = await post(alice, { status: 'Good morning', spoiler_text: '', language: 'de' })
  assertOnWire('Status', status)
  assert.equal(status.content!, '<p>Good morning</p>')
  assert.equal(status.language, 'de')
  assert.equal(status.account.statuses_count, 1)
  await world.settle()
  for (const person of [alice, bob]) {
    const home = await person.client.get<Status[]>('/api/v1/timelines/home')
    assert.deepEqual(
      home.body.map(({ id }) => id),
      [status.id],
    )
  }
  assert.deepEqual((await carol.client.get('/api/v1/timelines/home')).body, [])
})

test('mentions, hashtags and links become links; handles of nobody and markup stay text', async () => {
  const alice = await world.createPerson({ username: 'Mia' })
  const bob = await world.createPerson()
  const text = `Hi @mia and @nobody_here <b>x</b> #Straße https://example.org/p`
  const status = await post(bob, { status: text })
  assert.match(status.content!, /<a href="https:\/\/linnet\.test\/@Mia" class="u-url mention">@<span>Mia<\/span><\/a>/)
  assert.match(status.content!, /@nobody_here &lt;b&gt;x&lt;\/b&gt;/)
  assert.deepEqual(
    status.mentions.map(({ id, acct }) => ({ id, acct })),
    [{ id: alice.accountId, acct: 'Mia' }],
  )
  assert.equal(status.tags.length, 1)
  assert.match(status.content!, /href="https:\/\/example\.org\/p" rel="nofollow noopener"/)
})

test('whom a status mentions is told in the order of its text, once each, also when it is edited', async () => {
  const [author, first, second, third] = await Promise.all(Array.from({ length: 4 }, () => world.createPerson()))
  const [a, b, c] = [first!, second!, third!].map(({ username }) => username)
  const named = ({ mentions }: Status) => mentions.map(({ username }) => username)
  const status = await post(author!, { status: `@${c} @${a} @${c}` })
  assert.deepEqual(named(status), [c, a])
  const edited = await author!.client.put<Status>(`/api/v1/statuses/${status.id}`, { status: `@${c} @${a} and @${b}` })
  assert.deepEqual(named(edited.body), [c, a, b])
})

test('a content warning makes a status sensitive; alone it is the text', async () => {
  const alice = await world.createPerson()
  const warned = await post(alice, { status: 'spiders', spoiler_text: 'animals' })
  assert.equal(warned.sensitive, true)
  assert.equal(warned.spoiler_text, 'animals')
  const alone = await post(alice, { spoiler_text: 'animals' })
  assert.deepEqual([alone.spoiler_text, alone.content], ['', '<p>animals</p>'])
})

test('BI7 nothing and too much are refused in the words that clients know; a link counts 23', async () => {
  const { client } = await world.createPerson()
  const blank = await client.post('/api/v1/statuses', { status: '  \n ' })
  assert.deepEqual([blank.status, blank.body], [422, { error: "Validation failed: Text can't be blank" }])
  const long = await client.post('/api/v1/statuses', { status: 'x'.repeat(501) })
  assert.deepEqual(
    [long.status, long.body],
    [422, { error: 'Validation failed: Text character limit of 500 exceeded' }],
  )
  const families = '👨‍👩‍👧‍👦'.repeat(500)
  assert.equal((await client.post('/api/v1/statuses', { status: families })).status, 200)
  const link = `https://example.org/${'a'.repeat(900)}`
  assert.equal((await client.post('/api/v1/statuses', { status: `${'x'.repeat(476)} ${link}` })).status, 200)
})

test('an author’s standing chooses the visibility: locked accounts post to followers unless they say otherwise', async () => {
  const locked = await world.createPerson({ locked: true })
  assert.equal((await post(locked, { status: 'a' })).visibility, 'private')
  assert.equal((await post(locked, { status: 'b', visibility: 'public' })).visibility, 'public')
  const odd = await locked.client.post('/api/v1/statuses', { status: 'c', visibility: 'everybody' })
  assert.deepEqual([odd.status, odd.body.error], [422, 'Validation failed: Visibility is not included in the list'])
})

test('a boost is for those for whom its booster posts, unless they say otherwise', async () => {
  const [author, open, quiet, locked] = await Promise.all(
    [{}, {}, {}, { locked: true }].map(async (traits) => world.createPerson(traits)),
  )
  const defaults = { source: { privacy: 'unlisted' } }
  assert.equal((await quiet!.client.patch('/api/v1/accounts/update_credentials', defaults)).status, 200)
  const { id } = await post(author!, { status: 'for all' })
  const boost = async (person: Person, body: object = {}) =>
    (await person.client.post<Status>(`/api/v1/statuses/${id}/reblog`, body)).body
  assert.equal((await boost(open!)).visibility, 'public')
  assert.equal((await boost(quiet!)).visibility, 'unlisted')
  const kept = await boost(locked!)
  assert.deepEqual([kept.visibility, kept.reblog?.visibility], ['private', 'public'])
  assert.equal((await author!.client.get(`/api/v1/statuses/${kept.id}`)).status, 404)
  await locked!.client.post(`/api/v1/statuses/${id}/unreblog`)
  assert.equal((await boost(locked!, { visibility: 'public' })).visibility, 'public')
})

test('a reply counts at its parent, and a thread comes back in order', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const root = await post(alice, { status: 'root' })
  const first = await post(bob, { status: 'first answer', in_reply_to_id: root.id })
  const own = await post(alice, { status: 'going on', in_reply_to_id: root.id })
  const deep = await post(alice, { status: 'to bob', in_reply_to_id: first.id })
  assert.equal(first.in_reply_to_account_id, alice.accountId)
  const thread = await bob.client.get<Context>(`/api/v1/statuses/${root.id}/context`)
  assertOnWire('Context', thread.body)
  assert.deepEqual(thread.body.ancestors, [])
  assert.deepEqual(
    thread.body.descendants.map(({ id }) => id),
    [own.id, first.id, deep.id],
  )
  const up = await world.anonymous.get<Context>(`/api/v1/statuses/${deep.id}/context`)
  assert.deepEqual(
    up.body.ancestors.map(({ id }) => id),
    [root.id, first.id],
  )
  const seen = await world.anonymous.get<Status>(`/api/v1/statuses/${root.id}`)
  assert.equal(seen.body.replies_count, 2)
  const missing = await bob.client.post('/api/v1/statuses', { status: 'x', in_reply_to_id: '999' })
  assert.deepEqual(
    [missing.status, missing.body.error],
    [404, 'The post you are trying to reply to does not appear to exist.'],
  )
})

test('going on under one’s own reply still speaks to the one whom that reply was for', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const root = await post(alice, { status: 'root' })
  const reply = await post(bob, { status: 'reply', in_reply_to_id: root.id })
  const more = await post(bob, { status: 'more', in_reply_to_id: reply.id })
  assert.equal(more.in_reply_to_account_id, alice.accountId)
})

test('favourite and boost show in counters and for the person alone; undoing takes both back', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const status = await post(alice, { status: 'like me' })
  const liked = await bob.client.post<Status>(`/api/v1/statuses/${status.id}/favourite`)
  assert.deepEqual([liked.body.favourited, liked.body.favourites_count], [true, 1])
  const boost = await bob.client.post<Status>(`/api/v1/statuses/${status.id}/reblog`)
  assertOnWire('Status', boost.body)
  assert.notEqual(boost.body.id, status.id)
  assert.equal(boost.body.content, '')
  assert.deepEqual([boost.body.reblog?.id, boost.body.reblog?.reblogged, boost.body.reblogged], [status.id, true, true])
  const again = await bob.client.post<Status>(`/api/v1/statuses/${status.id}/reblog`)
  assert.equal(again.body.id, boost.body.id)
  const forAlice = await alice.client.get<Status>(`/api/v1/statuses/${status.id}`)
  assert.deepEqual(
    [forAlice.body.favourited, forAlice.body.reblogs_count, forAlice.body.favourites_count],
    [false, 1, 1],
  )
  const unliked = await bob.client.post<Status>(`/api/v1/statuses/${boost.body.id}/unfavourite`)
  assert.deepEqual([unliked.body.id, unliked.body.favourited, unliked.body.favourites_count], [status.id, false, 0])
  const unboosted = await bob.client.post<Status>(`/api/v1/statuses/${status.id}/unreblog`)
  assert.deepEqual([unboosted.body.id, unboosted.body.reblogged, unboosted.body.reblogs_count], [status.id, false, 0])
  assert.equal((await bob.client.get(`/api/v1/statuses/${boost.body.id}`)).status, 404)
})

test('a deleted status is gone everywhere, and its text comes back for another try', async () => {
  const [alice, bob, carol] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  await follow(bob, alice)
  await follow(carol, bob)
  const status = await post(alice, { status: 'oops #typo' })
  const boost = await bob.client.post<Status>(`/api/v1/statuses/${status.id}/reblog`)
  await world.settle()
  assert.equal((await carol.client.get<Status[]>('/api/v1/timelines/home')).body[0]?.id, boost.body.id)
  assert.equal((await bob.client.delete(`/api/v1/statuses/${status.id}`)).status, 404)
  const deleted = await alice.client.delete<Status>(`/api/v1/statuses/${status.id}`)
  assert.deepEqual([deleted.status, deleted.body.text, deleted.body.content], [200, 'oops #typo', undefined])
  await world.settle()
  for (const person of [alice, bob, carol]) {
    assert.deepEqual((await person.client.get('/api/v1/timelines/home')).body, [])
    assert.equal((await person.client.get(`/api/v1/statuses/${status.id}`)).status, 404)
    assert.equal((await person.client.get(`/api/v1/statuses/${boost.body.id}`)).status, 404)
  }
  const after_ = await alice.client.get(`/api/v1/statuses/${status.id}`)
  const unknown = await alice.client.get('/api/v1/statuses/1')
  assert.deepEqual(after_.body, unknown.body)
  const { db } = world.ctx
  const counts = await db.selectFrom('account_stats').select(['account_id', 'statuses_count']).execute()
  const countOf = (person: Person) => counts.find(({ account_id }) => account_id === person.accountId)?.statuses_count
  assert.deepEqual([countOf(alice), countOf(bob)], [0, 0])
})

test('a direct status is neither counted nor a sign of life', async () => {
  const alice = await world.createPerson()
  const status = await post(alice, { status: 'psst', visibility: 'direct' })
  assert.deepEqual([status.account.statuses_count, status.account.last_status_at], [0, null])
})

test('a text that would reach somebody whom its author did not name is held back', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const body = { status: `hi @${bob.username}`, allowed_mentions: [alice.accountId] }
  const refused = await alice.client.post('/api/v1/statuses', body)
  assert.equal(refused.status, 422)
  assert.equal(refused.body.error, 'Post would be sent to unexpected accounts')
  assert.deepEqual(
    refused.body.unexpected_accounts.map(({ id }: { id: string }) => id),
    [bob.accountId],
  )
})

test('several statuses come back by their ids, in order, without those that are hidden', async () => {
  const [alice, bob] = [await world.createPerson(), await world.createPerson()]
  const open = await post(alice, { status: 'open' })
  const hidden = await post(alice, { status: 'hidden', visibility: 'private' })
  const late = await post(alice, { status: 'late' })
  const answer = await bob.client.get<Status[]>('/api/v1/statuses', { id: [late.id, hidden.id, open.id, 'x', '7'] })
  assert.deepEqual(
    answer.body.map(({ id }) => id),
    [late.id, open.id],
  )
  assert.equal((await bob.client.get('/api/v1/statuses', { id: Array.from({ length: 21 }, () => '1') })).status, 422)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Context } from '../../../../entities/statuses/status.ts'
import type { Status } from '../../../../entities/statuses/status.ts'

const testServer = await openTestServer()
after(testServer.close)

async function post(user: TestUser, body: Record<string, unknown>): Promise<Status> {
  const response = await user.client.post<Status>('/api/v1/statuses', body)
  assert.equal(response.status, 200, JSON.stringify(response.body))
  return response.body
}

async function follow(user: TestUser, target: TestUser): Promise<void> {
  const { accountId } = user
  await testServer.ctx.write(({ db }) =>
    db.insertInto('follows').values({ account_id: accountId, target_account_id: target.accountId }).execute(),
  )
}

test('a posted status is a Mastodon entity and reaches the home timelines of author and followers', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  await follow(bob, alice)
  const status = await post(alice, { status: 'Good morning', spoiler_text: '', language: 'de' })
  assertEntity('Status', status)
  assert.equal(status.content!, '<p>Good morning</p>')
  assert.equal(status.language, 'de')
  assert.equal(status.account.statuses_count, 1)
  await testServer.waitForJobs()
  for (const { client } of [alice, bob]) {
    const home = await client.get<Status[]>('/api/v1/timelines/home')
    assert.deepEqual(
      home.body.map(({ id }) => id),
      [status.id],
    )
  }
  assert.deepEqual((await carol.client.get('/api/v1/timelines/home')).body, [])
})

test('mentions, hashtags and URLs become links; unknown handles and markup stay text', async () => {
  const alice = await testServer.createUser({ username: 'Mia' })
  const bob = await testServer.createUser()
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

test('mentions are in the order of the text, without duplicates, also after an edit', async () => {
  const [author, first, second, third] = await Promise.all(Array.from({ length: 4 }, () => testServer.createUser()))
  const [a, b, c] = [first!, second!, third!].map(({ username }) => username)
  const mentionedNames = ({ mentions }: Status) => mentions.map(({ username }) => username)
  const status = await post(author!, { status: `@${c} @${a} @${c}` })
  assert.deepEqual(mentionedNames(status), [c, a])
  const edited = await author!.client.put<Status>(`/api/v1/statuses/${status.id}`, { status: `@${c} @${a} and @${b}` })
  assert.deepEqual(mentionedNames(edited.body), [c, a, b])
})

test('a content warning makes a status sensitive; without a text it becomes the text', async () => {
  const alice = await testServer.createUser()
  const warned = await post(alice, { status: 'spiders', spoiler_text: 'animals' })
  assert.equal(warned.sensitive, true)
  assert.equal(warned.spoiler_text, 'animals')
  const warningOnly = await post(alice, { spoiler_text: 'animals' })
  assert.deepEqual([warningOnly.spoiler_text, warningOnly.content], ['', '<p>animals</p>'])
  assert.equal(warningOnly.sensitive, true)
  const blank = await post(alice, { status: 'spiders', spoiler_text: ' \u200b ' })
  assert.deepEqual([blank.spoiler_text, blank.sensitive], ['', false])
})

test('BI7 a blank and a too long text are rejected with Mastodon’s errors; a URL counts as 23 characters', async () => {
  const { client } = await testServer.createUser()
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

test('white space at the ends of a text and of a content warning is removed, and does not count', async () => {
  const alice = await testServer.createUser()
  const status = await post(alice, { status: `\n\t ${'x'.repeat(493)} \r\n`, spoiler_text: ' spoiler\n' })
  assert.deepEqual([status.content, status.spoiler_text], [`<p>${'x'.repeat(493)}</p>`, 'spoiler'])
  const edit = { status: `  \u3000a  b\n${' '.repeat(600)}`, spoiler_text: '\t' }
  const edited = await alice.client.put<Status>(`/api/v1/statuses/${status.id}`, edit)
  assert.deepEqual([edited.status, edited.body.content, edited.body.spoiler_text], [200, '<p>\u3000a  b</p>', ''])
  const { body: source } = await alice.client.get(`/api/v1/statuses/${status.id}/source`)
  assert.deepEqual(source, { id: status.id, text: '\u3000a  b', spoiler_text: '' })
})

test('locked accounts post with private visibility by default', async () => {
  const locked = await testServer.createUser({ locked: true })
  assert.equal((await post(locked, { status: 'a' })).visibility, 'private')
  assert.equal((await post(locked, { status: 'b', visibility: 'public' })).visibility, 'public')
  const invalid = await locked.client.post('/api/v1/statuses', { status: 'c', visibility: 'everybody' })
  assert.deepEqual(
    [invalid.status, invalid.body.error],
    [422, 'Validation failed: Visibility is not included in the list'],
  )
})

test('a boost has the posting default of its account unless the request sets a visibility', async () => {
  const [author, publicUser, unlistedUser, locked] = await Promise.all(
    [{}, {}, {}, { locked: true }].map(async (options) => testServer.createUser(options)),
  )
  const defaults = { source: { privacy: 'unlisted' } }
  assert.equal((await unlistedUser!.client.patch('/api/v1/accounts/update_credentials', defaults)).status, 200)
  const { id } = await post(author!, { status: 'public' })
  const reblog = async (user: TestUser, body: object = {}) =>
    (await user.client.post<Status>(`/api/v1/statuses/${id}/reblog`, body)).body
  assert.equal((await reblog(publicUser!)).visibility, 'public')
  assert.equal((await reblog(unlistedUser!)).visibility, 'unlisted')
  const privateReblog = await reblog(locked!)
  assert.deepEqual([privateReblog.visibility, privateReblog.reblog?.visibility], ['private', 'public'])
  assert.equal((await author!.client.get(`/api/v1/statuses/${privateReblog.id}`)).status, 404)
  await locked!.client.post(`/api/v1/statuses/${id}/unreblog`)
  assert.equal((await reblog(locked!, { visibility: 'public' })).visibility, 'public')
})

test('a reply increments replies_count of its parent, and a thread is ordered', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const root = await post(alice, { status: 'root' })
  const first = await post(bob, { status: 'first reply', in_reply_to_id: root.id })
  const own = await post(alice, { status: 'self-reply', in_reply_to_id: root.id })
  const deep = await post(alice, { status: 'to bob', in_reply_to_id: first.id })
  assert.equal(first.in_reply_to_account_id, alice.accountId)
  const thread = await bob.client.get<Context>(`/api/v1/statuses/${root.id}/context`)
  assertEntity('Context', thread.body)
  assert.deepEqual(thread.body.ancestors, [])
  assert.deepEqual(
    thread.body.descendants.map(({ id }) => id),
    [own.id, first.id, deep.id],
  )
  const up = await testServer.anonymous.get<Context>(`/api/v1/statuses/${deep.id}/context`)
  assert.deepEqual(
    up.body.ancestors.map(({ id }) => id),
    [root.id, first.id],
  )
  const parent = await testServer.anonymous.get<Status>(`/api/v1/statuses/${root.id}`)
  assert.equal(parent.body.replies_count, 2)
  const missing = await bob.client.post('/api/v1/statuses', { status: 'x', in_reply_to_id: '999' })
  assert.deepEqual(
    [missing.status, missing.body.error],
    [404, 'The post you are trying to reply to does not appear to exist.'],
  )
})

test('a self-reply below a reply keeps its in_reply_to_account_id', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const root = await post(alice, { status: 'root' })
  const reply = await post(bob, { status: 'reply', in_reply_to_id: root.id })
  const more = await post(bob, { status: 'more', in_reply_to_id: reply.id })
  assert.equal(more.in_reply_to_account_id, alice.accountId)
})

test('favourites and boosts change the counters and the viewer’s own flags; undo reverts both', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const status = await post(alice, { status: 'favourite me' })
  const favourited = await bob.client.post<Status>(`/api/v1/statuses/${status.id}/favourite`)
  assert.deepEqual([favourited.body.favourited, favourited.body.favourites_count], [true, 1])
  const reblog = await bob.client.post<Status>(`/api/v1/statuses/${status.id}/reblog`)
  assertEntity('Status', reblog.body)
  assert.notEqual(reblog.body.id, status.id)
  assert.equal(reblog.body.content, '')
  assert.deepEqual(
    [reblog.body.reblog?.id, reblog.body.reblog?.reblogged, reblog.body.reblogged],
    [status.id, true, true],
  )
  const again = await bob.client.post<Status>(`/api/v1/statuses/${status.id}/reblog`)
  assert.equal(again.body.id, reblog.body.id)
  const forAlice = await alice.client.get<Status>(`/api/v1/statuses/${status.id}`)
  assert.deepEqual(
    [forAlice.body.favourited, forAlice.body.reblogs_count, forAlice.body.favourites_count],
    [false, 1, 1],
  )
  const unfavourited = await bob.client.post<Status>(`/api/v1/statuses/${reblog.body.id}/unfavourite`)
  assert.deepEqual(
    [unfavourited.body.id, unfavourited.body.favourited, unfavourited.body.favourites_count],
    [status.id, false, 0],
  )
  const unreblogged = await bob.client.post<Status>(`/api/v1/statuses/${status.id}/unreblog`)
  assert.deepEqual(
    [unreblogged.body.id, unreblogged.body.reblogged, unreblogged.body.reblogs_count],
    [status.id, false, 0],
  )
  assert.equal((await bob.client.get(`/api/v1/statuses/${reblog.body.id}`)).status, 404)
})

test('a deleted status disappears everywhere; the response has its source text', async () => {
  const [alice, bob, carol] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  await follow(bob, alice)
  await follow(carol, bob)
  const status = await post(alice, { status: 'oops #typo' })
  const reblog = await bob.client.post<Status>(`/api/v1/statuses/${status.id}/reblog`)
  await testServer.waitForJobs()
  assert.equal((await carol.client.get<Status[]>('/api/v1/timelines/home')).body[0]?.id, reblog.body.id)
  assert.equal((await bob.client.delete(`/api/v1/statuses/${status.id}`)).status, 404)
  const deleted = await alice.client.delete<Status>(`/api/v1/statuses/${status.id}`)
  assert.deepEqual([deleted.status, deleted.body.text, deleted.body.content], [200, 'oops #typo', undefined])
  await testServer.waitForJobs()
  for (const { client } of [alice, bob, carol]) {
    assert.deepEqual((await client.get('/api/v1/timelines/home')).body, [])
    assert.equal((await client.get(`/api/v1/statuses/${status.id}`)).status, 404)
    assert.equal((await client.get(`/api/v1/statuses/${reblog.body.id}`)).status, 404)
  }
  const deletedResponse = await alice.client.get(`/api/v1/statuses/${status.id}`)
  const unknown = await alice.client.get('/api/v1/statuses/1')
  assert.deepEqual(deletedResponse.body, unknown.body)
  const { db } = testServer.ctx
  const counts = await db.selectFrom('account_stats').select(['account_id', 'statuses_count']).execute()
  const countOf = (user: TestUser) => counts.find(({ account_id }) => account_id === user.accountId)?.statuses_count
  assert.deepEqual([countOf(alice), countOf(bob)], [0, 0])
})

test('a direct status changes neither statuses_count nor last_status_at', async () => {
  const alice = await testServer.createUser()
  const status = await post(alice, { status: 'psst', visibility: 'direct' })
  assert.deepEqual([status.account.statuses_count, status.account.last_status_at], [0, null])
})

test('a status that mentions accounts outside allowed_mentions is rejected', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const body = { status: `hi @${bob.username}`, allowed_mentions: [alice.accountId] }
  const rejected = await alice.client.post('/api/v1/statuses', body)
  assert.equal(rejected.status, 422)
  assert.equal(rejected.body.error, 'Post would be sent to unexpected accounts')
  assert.deepEqual(
    rejected.body.unexpected_accounts.map(({ id }: { id: string }) => id),
    [bob.accountId],
  )
})

test('several statuses are returned in the order of their ids, each once, without hidden ones', async () => {
  const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
  const visible = await post(alice, { status: 'visible' })
  const hidden = await post(alice, { status: 'hidden', visibility: 'private' })
  const late = await post(alice, { status: 'late' })
  const response = await bob.client.get<Status[]>('/api/v1/statuses', {
    id: [late.id, hidden.id, visible.id, 'x', '7', ...Array.from({ length: 20 }, () => late.id)],
  })
  assert.deepEqual(
    response.body.map(({ id }) => id),
    [late.id, visible.id],
  )
  assert.equal((await bob.client.get('/api/v1/statuses', { id: Array.from({ length: 21 }, (_, n) => n) })).status, 422)
})

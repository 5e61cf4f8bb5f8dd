import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { suspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import { CODE_POINT } from '../../../../test/text/code-points.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx

const viewer = await testServer.createUser({ username: 'viewer' })
const ids = (body: { id: string }[]) => body.map(({ id }) => id)

async function createRemote(username: string, domain: string, displayName = ''): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with inserted as (
      insert into accounts (username, domain, display_name, uri, url)
      values (${username}, ${domain}, ${displayName}, ${`https://${domain}/${username}`}, ${`https://${domain}/@${username}`})
      returning id
    ), stats as (insert into account_stats (account_id) select id from inserted)
    select id from inserted`.execute(db)
  return rows[0]!.id
}

const search = async (q: string, parameters: Record<string, unknown> = {}, user: TestUser = viewer) =>
  ids((await user.client.get('/api/v1/accounts/search', { q, ...parameters })).body)

test('AC11 except in lookup, an unconfirmed or unapproved account gets the responses of an unknown id', async () => {
  const unknown = '999999999'
  for (const traits of [{ confirmed: false }, { approved: false }]) {
    const hidden = await testServer.createUser(traits)
    await sql`insert into follow_requests (account_id, target_account_id)
      values (${hidden.accountId}, ${viewer.accountId})`.execute(db)
    for (const [method, rest] of [
      ['GET', ''],
      ['GET', '/statuses'],
      ['GET', '/statuses?pinned=true'],
      ['GET', '/followers'],
      ['GET', '/following'],
      ['POST', '/follow'],
      ['POST', '/unfollow'],
      ['POST', '/remove_from_followers'],
      ['POST', '/block'],
      ['POST', '/unblock'],
      ['POST', '/mute'],
      ['POST', '/unmute'],
    ] as const) {
      const request = (id: string) => viewer.client.send({ method, url: `/api/v1/accounts/${id}${rest}` })
      const [hiddenResponse, unknownResponse] = [await request(hidden.accountId), await request(unknown)]
      assert.deepEqual([rest, hiddenResponse.status, hiddenResponse.body], [rest, 404, unknownResponse.body])
      assert.deepEqual(unknownResponse.body, { error: 'Record not found' })
    }
    const query = { id: [hidden.accountId] }
    assert.deepEqual((await viewer.client.get('/api/v1/accounts', query)).body, [])
    assert.deepEqual((await viewer.client.get('/api/v1/accounts/relationships', query)).body, [])
    assert.deepEqual((await viewer.client.get('/api/v1/follow_requests')).body, [])
    assert.deepEqual(await search(hidden.username), [])
    assert.deepEqual(await search(`@${hidden.username}@linnet.test`, { following: true }), [])
    const found = await viewer.client.get('/api/v1/accounts/lookup', { acct: hidden.username })
    assert.deepEqual([found.status, found.body.id], [200, hidden.accountId])
  }
})

test('BI1 an invalid account id gets the same response as an unknown id', async () => {
  for (const id of [
    '-1',
    '0',
    '01',
    '1.0',
    '%201',
    '１',
    '9223372036854775808',
    '18446744073709551616',
    '1e400',
    'x'.repeat(400),
    '%00',
  ]) {
    const response = await viewer.client.get(`/api/v1/accounts/${encodeURI(id)}`)
    assert.deepEqual([id, response.status, response.body], [id, 404, { error: 'Record not found' }])
    assert.equal((await viewer.client.post(`/api/v1/accounts/${encodeURI(id)}/follow`)).status, 404)
  }
  const mixed = await viewer.client.get('/api/v1/accounts', {
    id: ['x', '-1', '9223372036854775808', viewer.accountId],
  })
  assert.deepEqual(ids(mixed.body), [viewer.accountId])
})

test('several accounts are returned in the requested order, each once; more than 40 ids are refused', async () => {
  const [a, b] = [await testServer.createUser(), await testServer.createUser()]
  const { body } = await testServer.anonymous.get('/api/v1/accounts', {
    id: [b.accountId, '77777777', a.accountId, b.accountId],
  })
  assert.deepEqual(ids(body), [b.accountId, a.accountId])
  for (const account of body) assertEntity('Account', account)
  const many = await viewer.client.get('/api/v1/accounts', { id: Array.from({ length: 41 }, (_, n) => n + 1) })
  assert.deepEqual([many.status, many.body], [422, { error: 'Mastodon::ValidationError' }])
  assert.deepEqual((await viewer.client.get('/api/v1/accounts')).body, [])
})

test('BI8 lookup ignores case, whitespace and a leading @, and refuses invalid handles with 400 or 404', async () => {
  const ada = await testServer.createUser({ username: 'Ada_L' })
  const far = await createRemote('Ada_L', 'far.test')
  for (const acct of ['ada_l', ' Ada_L ', '@ADA_L', ' @ada_l@linnet.test ', 'Ada_L@LINNET.TEST', '\tada_l\n']) {
    const response = await testServer.anonymous.get('/api/v1/accounts/lookup', { acct })
    assert.deepEqual([acct, response.status, response.body.id], [acct, 200, ada.accountId])
  }
  assert.equal((await testServer.anonymous.get('/api/v1/accounts/lookup', { acct: 'ada_l@Far.Test.' })).body.id, far)
  for (const acct of [
    '@',
    'a@@b',
    '@@',
    'ada_l@',
    'ada_l@elsewhere.test',
    'a b',
    '%',
    "'",
    'x'.repeat(5_000),
    '\u0000',
  ]) {
    const response = await testServer.anonymous.get('/api/v1/accounts/lookup', { acct })
    assert.ok([400, 404].includes(response.status), `${acct} ${response.status}`)
  }
  assert.equal((await testServer.anonymous.get('/api/v1/accounts/lookup')).status, 400)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: CODE_POINT, minLength: 1 }), async (acct) => {
      const response = await viewer.client.get('/api/v1/accounts/lookup', { acct: acct.toWellFormed() })
      assert.ok(response.status < 500)
    }),
    { numRuns: 50 },
  )
})

test('a suspended account is found by id and handle without its profile, but not in lists and search', async () => {
  const suspended = await testServer.createUser({ username: 'gone', displayName: 'Gone Girl' })
  await suspend(testServer.ctx, suspended)
  const profile = await viewer.client.get(`/api/v1/accounts/${suspended.accountId}`)
  assert.deepEqual([profile.body.suspended, profile.body.display_name], [true, ''])
  assertEntity('Account', profile.body)
  assert.equal((await viewer.client.get('/api/v1/accounts/lookup', { acct: 'gone' })).body.suspended, true)
  assert.deepEqual(await search('gone'), [])
  const query = { id: [suspended.accountId] }
  assert.deepEqual((await viewer.client.get('/api/v1/accounts/relationships', query)).body, [])
  const all = await viewer.client.get('/api/v1/accounts/relationships', { ...query, with_suspended: true })
  assert.deepEqual(ids(all.body), [suspended.accountId])
  for (const list of ['statuses', 'followers', 'following']) {
    assert.deepEqual((await viewer.client.get(`/api/v1/accounts/${suspended.accountId}/${list}`)).body, [])
  }
})

test('search matches handles, prefixes and words of names, exact handles first', async () => {
  const [rose, rosetta, primrose] = [
    await testServer.createUser({ username: 'rose' }),
    await testServer.createUser({ username: 'rosetta', displayName: 'Stone' }),
    await testServer.createUser({ username: 'primrose', displayName: 'Evening Rose' }),
  ]
  const far = await createRemote('rose', 'garden.test', 'The Rose')
  await sql`update account_stats set followers_count = 9 where account_id = ${primrose.accountId}`.execute(db)
  assert.deepEqual(await search('rose'), [rose.accountId, far, rosetta.accountId, primrose.accountId])
  assert.deepEqual(await search('@rose@garden.test'), [far])
  assert.deepEqual(await search('Rose@Garden.test'), [far])
  assert.deepEqual((await search('rose@linnet.test'))[0], rose.accountId)
  assert.deepEqual(await search('evening ros'), [primrose.accountId])
  assert.deepEqual(await search('garden'), [far])
  assert.deepEqual(await search('rose', { limit: 2, offset: 1 }), [far, rosetta.accountId])
  assert.deepEqual(await search('rose', { limit: 0 }), [])

  await viewer.client.post(`/api/v1/accounts/${primrose.accountId}/follow`)
  assert.deepEqual(await search('rose', { following: true }), [primrose.accountId])
  assert.deepEqual(await search('viewer'), [viewer.accountId])
  assert.deepEqual(await search('viewer', { following: 'true' }), [])
  await sql`update accounts set moved_to_account_id = ${viewer.accountId}, version = version + 1
    where id = ${rosetta.accountId}`.execute(db)
  assert.ok(!(await search('rose')).includes(rosetta.accountId))
})

test('search accepts queries of one and two characters, in any script', async () => {
  const [short, han] = [
    await testServer.createUser({ username: 'qz' }),
    await testServer.createUser({ username: 'wei', displayName: '陈伟 Wěi' }),
  ]
  assert.deepEqual(await search('q'), [short.accountId])
  assert.deepEqual(await search('qz'), [short.accountId])
  assert.deepEqual(await search('陈伟'), [han.accountId])
  assert.deepEqual(await search('陈'), [han.accountId])
})

test('BI14 wildcards of LIKE are matched literally, and no query causes a server error', async () => {
  await testServer.createUser({ username: 'under_score', displayName: '100% sure' })
  assert.deepEqual(await search('%'), [])
  assert.deepEqual(await search('__'), [])
  assert.equal((await search('100%')).length, 1)
  assert.equal((await search('under_s')).length, 1)
  assert.deepEqual(await search('underxs'), [])
  for (const q of ['\\', '\\%', "'; drop table accounts", 'a'.repeat(10_000), '@', '@@', ' @ ', 'a b c d e f g h i']) {
    assert.equal((await viewer.client.get('/api/v1/accounts/search', { q })).status, 200)
  }
  for (const offset of [-1, 1e9, '5x', 'x']) {
    assert.equal((await viewer.client.get('/api/v1/accounts/search', { q: 'rose', offset })).status, 200)
  }
  assert.equal((await viewer.client.get('/api/v1/accounts/search')).status, 400)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1 }), async (q) => {
      const response = await viewer.client.get('/api/v1/accounts/search', { q })
      assert.ok(response.status < 500, q)
    }),
    { numRuns: 50 },
  )
})

test('account search requires a logged-in user', async () => {
  const response = await testServer.anonymous.get('/api/v1/accounts/search', { q: 'rose' })
  assert.equal(response.status, 401)
})

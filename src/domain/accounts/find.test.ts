import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { assertOnWire } from '../../../test/wire.ts'

const world = await openWorld()
after(world.close)
const { db } = world.ctx

const viewer = await world.createPerson({ username: 'viewer' })
const ids = (body: { id: string }[]) => body.map(({ id }) => id)

async function createRemote(username: string, domain: string, displayName = ''): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into accounts (username, domain, display_name, uri, url)
      values (${username}, ${domain}, ${displayName}, ${`https://${domain}/${username}`}, ${`https://${domain}/@${username}`})
      returning id
    ), stats as (insert into account_stats (account_id) select id from made)
    select id from made`.execute(db)
  return rows[0]!.id
}

const mark = (person: Person, column: 'suspended_at' | 'moved_to_account_id') =>
  column === 'suspended_at'
    ? sql`update accounts set suspended_at = now(), version = version + 1 where id = ${person.accountId}`.execute(db)
    : sql`update accounts set moved_to_account_id = ${viewer.accountId}, version = version + 1
        where id = ${person.accountId}`.execute(db)

const search = async (q: string, more: Record<string, unknown> = {}, who: Person = viewer) =>
  ids((await who.client.get('/api/v1/accounts/search', { q, ...more })).body)

test('AC11 nobody can tell an account that is not confirmed or approved from one that is not there', async () => {
  const unknown = '999999999'
  for (const traits of [{ confirmed: false }, { approved: false }]) {
    const hidden = await world.createPerson(traits)
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
      const ask = (id: string) => viewer.client.send({ method, url: `/api/v1/accounts/${id}${rest}` })
      const [theirs, nobodys] = [await ask(hidden.accountId), await ask(unknown)]
      assert.deepEqual([rest, theirs.status, theirs.body], [rest, 404, nobodys.body])
      assert.deepEqual(nobodys.body, { error: 'Record not found' })
    }
    const many = { id: [hidden.accountId] }
    assert.deepEqual((await viewer.client.get('/api/v1/accounts', many)).body, [])
    assert.deepEqual((await viewer.client.get('/api/v1/accounts/relationships', many)).body, [])
    assert.deepEqual((await viewer.client.get('/api/v1/follow_requests')).body, [])
    assert.deepEqual(await search(hidden.username), [])
    assert.deepEqual(await search(`@${hidden.username}@linnet.test`, { following: true }), [])
    const found = await viewer.client.get('/api/v1/accounts/lookup', { acct: hidden.username })
    assert.deepEqual([found.status, found.body.id], [200, hidden.accountId])
  }
})

test('BI1 what can not be an id answers as an unknown id does', async () => {
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
    const answer = await viewer.client.get(`/api/v1/accounts/${encodeURI(id)}`)
    assert.deepEqual([id, answer.status, answer.body], [id, 404, { error: 'Record not found' }])
    assert.equal((await viewer.client.post(`/api/v1/accounts/${encodeURI(id)}/follow`)).status, 404)
  }
  const odd = await viewer.client.get('/api/v1/accounts', { id: ['x', '-1', '9223372036854775808', viewer.accountId] })
  assert.deepEqual(ids(odd.body), [viewer.accountId])
})

test('several accounts come in the order asked for, each once; more than 40 are refused', async () => {
  const [a, b] = [await world.createPerson(), await world.createPerson()]
  const { body } = await world.anonymous.get('/api/v1/accounts', {
    id: [b.accountId, '77777777', a.accountId, b.accountId],
  })
  assert.deepEqual(ids(body), [b.accountId, a.accountId])
  for (const account of body) assertOnWire('Account', account)
  const many = await viewer.client.get('/api/v1/accounts', { id: Array.from({ length: 41 }, (_, n) => n + 1) })
  assert.deepEqual([many.status, many.body], [422, { error: 'Mastodon::ValidationError' }])
  assert.deepEqual((await viewer.client.get('/api/v1/accounts')).body, [])
})

test('BI8 lookup takes a handle in any dress, and never fails on what is none', async () => {
  const ada = await world.createPerson({ username: 'Ada_L' })
  const far = await createRemote('Ada_L', 'far.test')
  for (const acct of ['ada_l', ' Ada_L ', '@ADA_L', ' @ada_l@linnet.test ', 'Ada_L@LINNET.TEST', '\tada_l\n']) {
    const answer = await world.anonymous.get('/api/v1/accounts/lookup', { acct })
    assert.deepEqual([acct, answer.status, answer.body.id], [acct, 200, ada.accountId])
  }
  assert.equal((await world.anonymous.get('/api/v1/accounts/lookup', { acct: 'ada_l@Far.Test.' })).body.id, far)
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
    const answer = await world.anonymous.get('/api/v1/accounts/lookup', { acct })
    assert.ok([400, 404].includes(answer.status), `${acct} ${answer.status}`)
  }
  assert.equal((await world.anonymous.get('/api/v1/accounts/lookup')).status, 400)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (acct) => {
      const answer = await viewer.client.get('/api/v1/accounts/lookup', { acct: acct.toWellFormed() })
      assert.ok(answer.status < 500)
    }),
    { numRuns: 50 },
  )
})

test('who is suspended keeps a handle and loses a face; lists and lookups tell apart what they may show', async () => {
  const gone = await world.createPerson({ username: 'gone', displayName: 'Gone Girl' })
  await mark(gone, 'suspended_at')
  const one = await viewer.client.get(`/api/v1/accounts/${gone.accountId}`)
  assert.deepEqual([one.body.suspended, one.body.display_name], [true, ''])
  assertOnWire('Account', one.body)
  assert.equal((await viewer.client.get('/api/v1/accounts/lookup', { acct: 'gone' })).body.suspended, true)
  assert.deepEqual(await search('gone'), [])
  const asked = { id: [gone.accountId] }
  assert.deepEqual((await viewer.client.get('/api/v1/accounts/relationships', asked)).body, [])
  const all = await viewer.client.get('/api/v1/accounts/relationships', { ...asked, with_suspended: true })
  assert.deepEqual(ids(all.body), [gone.accountId])
  for (const list of ['statuses', 'followers', 'following']) {
    assert.deepEqual((await viewer.client.get(`/api/v1/accounts/${gone.accountId}/${list}`)).body, [])
  }
})

test('search finds handles, beginnings and words of names; the exact handle first, then the known and the followed', async () => {
  const [rose, rosetta, primrose] = [
    await world.createPerson({ username: 'rose' }),
    await world.createPerson({ username: 'rosetta', displayName: 'Stone' }),
    await world.createPerson({ username: 'primrose', displayName: 'Evening Rose' }),
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
  assert.deepEqual(await search('viewer', { following: 'true' }), [viewer.accountId])
  await mark(rosetta, 'moved_to_account_id')
  assert.ok(!(await search('rose')).includes(rosetta.accountId))
})

test('search takes one and two letters, and letters of any writing', async () => {
  const [short, han] = [
    await world.createPerson({ username: 'qz' }),
    await world.createPerson({ username: 'wei', displayName: '陈伟 Wěi' }),
  ]
  assert.deepEqual(await search('q'), [short.accountId])
  assert.deepEqual(await search('qz'), [short.accountId])
  assert.deepEqual(await search('陈伟'), [han.accountId])
  assert.deepEqual(await search('陈'), [han.accountId])
})

test('BI14 characters that mean something in a pattern mean themselves, and any query has an answer', async () => {
  await world.createPerson({ username: 'under_score', displayName: '100% sure' })
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
      const answer = await viewer.client.get('/api/v1/accounts/search', { q })
      assert.ok(answer.status < 500, q)
    }),
    { numRuns: 50 },
  )
})

test('search is for people who are logged in', async () => {
  const answer = await world.anonymous.get('/api/v1/accounts/search', { q: 'rose' })
  assert.equal(answer.status, 401)
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { findPort } from '../../../../../test/servers/linnet-process.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../../test/federation/remote-records.ts'
import { untilWindow } from '../../../../../test/http/until-window.ts'
import { limit } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { tallyTagUses } from '../../../../domain/tags/count-tag-uses.ts'

const DAY_MS = 86_400_000
let aheadMs = 0
const testServer = await openTestServer({ effects: false, now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { ctx } = testServer

interface Tag {
  id: string
  name: string
  url: string
  history: { day: string; accounts: string; uses: string }[]
  following?: boolean
  featuring?: boolean
}

const post = async (user: TestUser, status: string, more: object = {}) => {
  const response = await user.client.post('/api/v1/statuses', { status, ...more })
  assert.equal(response.status, 200)
  return response.body
}
const readTag = async (name: string, client = testServer.anonymous) => {
  const { status, body } = await client.get<Tag>(`/api/v1/tags/${encodeURIComponent(name)}`)
  assert.equal(status, 200, name)
  assertEntity('Tag', body)
  return body
}
const act = (user: TestUser, name: string, action: string) =>
  user.client.post<Tag>(`/api/v1/tags/${encodeURIComponent(name)}/${action}`)
const names = (tags: readonly { name: string }[]) => tags.map(({ name }) => name)
const usesToday = ({ history }: Tag) => [history[0]!.uses, history[0]!.accounts]

suite('a hashtag', () => {
  test('is found in every spelling and has the spelling of its first use', async () => {
    const alice = await testServer.createUser()
    await post(alice, 'An #Élan')
    const tag = await readTag('elan')
    assert.deepEqual([tag.name, tag.url], ['Élan', 'https://linnet.test/tags/elan'])
    for (const name of ['Élan', 'ELAN', 'ｅｌａｎ', 'e\u0301lan']) assert.deepEqual(await readTag(name), tag)
    assert.deepEqual([tag.following, tag.featuring], [undefined, undefined])
    const own = await readTag('elan', alice.client)
    assert.deepEqual([own.following, own.featuring], [false, false])
  })

  test('that is not in use is returned without an id and not created', async () => {
    const tag = await readTag('NeverWritten')
    assert.deepEqual([tag.id, tag.name, tag.url], ['', 'NeverWritten', 'https://linnet.test/tags/neverwritten'])
    assert.deepEqual(new Set(tag.history.map(({ uses }) => uses)), new Set(['0']))
    const { rows } = await sql`select from tags where name = 'neverwritten'`.execute(ctx.db)
    assert.equal(rows.length, 0)
  })

  test('VI8 that only private statuses contain looks like one that is not in use, except to its followers', async () => {
    const [author, follower] = [await testServer.createUser(), await testServer.createUser()]
    for (const visibility of ['direct', 'private']) await post(author, 'Launch of #SecretPlan', { visibility })
    const other = await readTag('otherplan')
    for (const client of [testServer.anonymous, follower.client]) {
      const tag = await readTag('secretplan', client)
      assert.deepEqual([tag.id, tag.name, tag.history], ['', 'secretplan', other.history])
    }
    assert.notEqual((await act(follower, 'secretplan', 'follow')).body.id, '')
    assert.notEqual((await readTag('secretplan', follower.client)).id, '')
    await post(author, '#secretplan', { visibility: 'unlisted' })
    assert.notEqual((await readTag('secretplan')).id, '')
  })

  test('BI6 with an invalid name gets 404', async () => {
    const alice = await testServer.createUser()
    for (const name of [
      '123',
      'hello world',
      '#cats',
      'a-b',
      '_',
      '·',
      '%',
      'a'.repeat(256),
      '\u0000',
      '\ud800',
      "'",
    ]) {
      const path = `/api/v1/tags/${encodeURIComponent(name.toWellFormed())}`
      const response = await testServer.anonymous.get(path)
      assert.deepEqual([name, response.status, response.body], [name, 404, { error: 'Record not found' }])
      for (const action of ['follow', 'unfollow', 'feature', 'unfeature']) {
        assert.equal((await alice.client.post(`${path}/${action}`)).status, 404, name)
      }
    }
    for (const path of ['%ff', '%ED%A0%80', '%C0%AF', '%']) {
      assert.ok([400, 404].includes((await testServer.anonymous.get(`/api/v1/tags/${path}`)).status), path)
    }
    assert.equal((await readTag('猫'.repeat(60))).name.length, 60)
  })

  test('has a history of public uses and accounts of seven days', async () => {
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    await post(alice, '#tally #tally')
    await post(alice, 'again #TALLY')
    await post(bob, '#tally')
    for (const visibility of ['unlisted', 'private', 'direct']) await post(bob, '#tally', { visibility })
    await post(bob, '#tally', { local_only: true })
    const { id } = await post(bob, 'nothing')
    await bob.client.put(`/api/v1/statuses/${id}`, { status: '#tally after all' })
    const tag = await readTag('tally')
    assert.deepEqual([usesToday(tag), tag.history.length], [['3', '2'], 7])
    const midnight = Math.floor(Date.now() / DAY_MS) * (DAY_MS / 1000)
    assert.deepEqual(
      tag.history.map(({ day }) => Number(day)),
      Array.from({ length: 7 }, (_, daysAgo) => midnight - daysAgo * 86_400),
    )
  })

  test('VI17 does not count uses by limited accounts, or any if it is not usable', async () => {
    const [user, limited] = [await testServer.createUser(), await testServer.createUser()]
    await limit(ctx, limited)
    await post(limited, '#hushed')
    await post(user, '#hushed')
    await sql`insert into tags (name, display_name, usable) values ('banned', 'banned', false)`.execute(ctx.db)
    const accountId = await createRemoteAccount(ctx)
    await createRemoteStatus(ctx, { accountId, hashtags: new Map([['banned', 'banned']]) })
    assert.deepEqual(usesToday(await readTag('hushed')), ['1', '1'])
    assert.deepEqual(usesToday(await readTag('banned')), ['0', '0'])
  })

  test('loses uses older than seven days by an hourly job', async () => {
    const alice = await testServer.createUser()
    await post(alice, '#fading')
    const readUses = async () => {
      const { rows } = await sql<{ recent_users: number | null; use_count: number }>`
        select recent_users, (select count(*)::int from tag_uses u where u.tag_id = t.id) as use_count
        from tags t where name = 'fading'`.execute(ctx.db)
      return [rows[0]!.recent_users, rows[0]!.use_count]
    }
    aheadMs = 6 * DAY_MS
    await tallyTagUses(ctx)
    assert.deepEqual(await readUses(), [1, 1])
    assert.equal((await readTag('fading')).history[6]!.uses, '1')
    aheadMs = 7 * DAY_MS
    await tallyTagUses(ctx)
    assert.deepEqual(await readUses(), [0, 0])
    aheadMs = 0
    await post(alice, '#fading')
    assert.deepEqual(await readUses(), [1, 1])
  })

  test('counts concurrent uses exactly', async () => {
    const users = await Promise.all(Array.from({ length: 5 }, async () => testServer.createUser()))
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => post(users[n % 5]!, n % 2 ? '#rush #hour' : '#hour and #rush')),
    )
    for (const name of ['rush', 'hour']) assert.deepEqual(usesToday(await readTag(name)), ['50', '5'])
  })
})

suite('followed hashtags', () => {
  test('can be followed and unfollowed repeatedly with the same result', async () => {
    const alice = await testServer.createUser()
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await act(alice, 'Knitting', 'follow')
      assert.deepEqual([status, body.name, body.following], [200, 'Knitting', true])
      assertEntity('Tag', body)
    }
    assert.equal((await readTag('knitting', alice.client)).following, true)
    assert.deepEqual(names((await alice.client.get('/api/v1/followed_tags')).body), ['Knitting'])
    for (let times = 0; times < 2; times += 1) {
      assert.equal((await act(alice, 'KNITTING', 'unfollow')).body.following, false)
    }
    assert.deepEqual((await alice.client.get('/api/v1/followed_tags')).body, [])
    assert.equal((await act(alice, 'neverfollowed', 'unfollow')).body.id, '')
  })

  test('run the same number of SQL statements for many as for one', async () => {
    const [one, many] = [await testServer.createUser(), await testServer.createUser()]
    await act(one, 'single', 'follow')
    for (let n = 0; n < 60; n += 1) await act(many, `many${n}`, 'follow')
    const cost = (user: TestUser) => countQueries(async () => user.client.get('/api/v1/followed_tags'))
    await cost(one)
    assert.equal(await cost(many), await cost(one))
    assert.equal((await many.client.get('/api/v1/followed_tags')).body.length, 60)
  })

  test('BI19 count as follows: the 401st follow of a day gets 429', async () => {
    aheadMs = untilWindow(24)
    const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]
    for (let n = 0; n < 400; n += 1) {
      if (n % 200 === 0) aheadMs += 600_000
      const response = await (n % 2
        ? act(alice, 'again', 'follow')
        : alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`))
      assert.equal(response.status, 200)
    }
    aheadMs += 600_000
    const rejected = await act(alice, 'more', 'follow')
    assert.deepEqual([rejected.status, rejected.headers['x-ratelimit-limit']], [429, '400'])
    assert.equal((await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)).status, 429)
    assert.equal((await act(alice, 'again', 'unfollow')).status, 200)
    aheadMs = 0
  })
})

test('masto.js reads, follows and features hashtags', async () => {
  const port = await findPort()
  const domain = `localhost:${port}`
  const ownServer = await openTestServer({ env: { PORT: port, LOCAL_DOMAIN: domain } })
  try {
    await ownServer.listen()
    const ann = await ownServer.createUser({ username: 'ann' })
    const rest = createRestAPIClient({ url: `http://${domain}`, accessToken: ann.token })
    await rest.v1.statuses.create({ status: '#Gardens are #green' })
    await rest.v1.statuses.create({ status: '#gardens again, and #green' })
    const tag = await rest.v1.tags.$select('gardens').fetch()
    assert.deepEqual([tag.name, tag.following, tag.history?.[0]?.uses], ['Gardens', false, '2'])
    assert.equal((await rest.v1.tags.$select('gardens').follow()).following, true)
    assert.deepEqual(
      (await rest.v1.followedTags.list()).map(({ name }) => name),
      ['Gardens'],
    )
    assert.equal((await rest.v1.tags.$select('gardens').unfollow()).following, false)
    await rest.v1.tags.$select('gardens').feature()
    assert.equal((await rest.v1.featuredTags.list()).length, 1)
    await rest.v1.tags.$select('gardens').unfeature()
    assert.deepEqual(await rest.v1.featuredTags.list(), [])

    assert.deepEqual((await rest.v1.featuredTags.suggestions.list()).map(({ name }) => name).toSorted(), [
      'Gardens',
      'green',
    ])
    const featured = await rest.v1.featuredTags.create({ name: '#Gardens' })
    assert.deepEqual(
      [featured.name, featured.url, String(featured.statusesCount)],
      ['Gardens', `http://${domain}/@ann/tagged/gardens`, '2'],
    )
    const listed = await rest.v1.accounts.$select(ann.accountId).featuredTags.list()
    assert.deepEqual(
      listed.map(({ id }) => id),
      [featured.id],
    )
    await rest.v1.featuredTags.$select(featured.id).remove()
    assert.deepEqual(await rest.v1.featuredTags.list(), [])
  } finally {
    await ownServer.close()
  }
})

import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { countQueries } from '../../../../test/count-queries.ts'
import { findPort } from '../../../../test/linnet.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { untilWindow } from '../../../../test/until-window.ts'
import { openWorld } from '../../../../test/world.ts'
import type { Person } from '../../../../test/world.ts'
import { tallyTagUses } from '../../../domain/tags/use.ts'

const DAY_MS = 86_400_000
let later = 0
const world = await openWorld({ effects: false, now: () => new Date(Date.now() + later) })
after(world.close)
const { ctx } = world

interface Tag {
  id: string
  name: string
  url: string
  history: { day: string; accounts: string; uses: string }[]
  following?: boolean
  featuring?: boolean
}

const post = async (person: Person, status: string, more: object = {}) => {
  const answer = await person.client.post('/api/v1/statuses', { status, ...more })
  assert.equal(answer.status, 200)
  return answer.body
}
const see = async (name: string, client = world.anonymous) => {
  const { status, body } = await client.get<Tag>(`/api/v1/tags/${encodeURIComponent(name)}`)
  assert.equal(status, 200, name)
  assertOnWire('Tag', body)
  return body
}
const act = (person: Person, name: string, deed: string) =>
  person.client.post<Tag>(`/api/v1/tags/${encodeURIComponent(name)}/${deed}`)
const names = (tags: readonly { name: string }[]) => tags.map(({ name }) => name)
const today = ({ history }: Tag) => [history[0]!.uses, history[0]!.accounts]

suite('a hashtag', () => {
  test('is seen under each of its spellings, and shown as it was written first', async () => {
    const alice = await world.createPerson()
    await post(alice, 'An #Élan')
    const tag = await see('elan')
    assert.deepEqual([tag.name, tag.url], ['Élan', 'https://linnet.test/tags/elan'])
    for (const name of ['Élan', 'ELAN', 'ｅｌａｎ', 'e\u0301lan']) assert.deepEqual(await see(name), tag)
    assert.deepEqual([tag.following, tag.featuring], [undefined, undefined])
    const own = await see('elan', alice.client)
    assert.deepEqual([own.following, own.featuring], [false, false])
  })

  test('that nobody wrote yet is as it would be, and does not come into being by being looked at', async () => {
    const tag = await see('NeverWritten')
    assert.deepEqual([tag.id, tag.name, tag.url], ['', 'NeverWritten', 'https://linnet.test/tags/neverwritten'])
    assert.deepEqual(new Set(tag.history.map(({ uses }) => uses)), new Set(['0']))
    const { rows } = await sql`select from tags where name = 'neverwritten'`.execute(ctx.db)
    assert.equal(rows.length, 0)
  })

  test('BI6 is not found under what can be the name of none', async () => {
    const alice = await world.createPerson()
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
      const answer = await world.anonymous.get(path)
      assert.deepEqual([name, answer.status, answer.body], [name, 404, { error: 'Record not found' }])
      for (const deed of ['follow', 'unfollow', 'feature', 'unfeature']) {
        assert.equal((await alice.client.post(`${path}/${deed}`)).status, 404, name)
      }
    }
    for (const path of ['%ff', '%ED%A0%80', '%C0%AF', '%']) {
      assert.ok([400, 404].includes((await world.anonymous.get(`/api/v1/tags/${path}`)).status), path)
    }
    assert.equal((await see('猫'.repeat(60))).name.length, 60)
  })

  test('tells by how many and how often it was used in public on each of seven days', async () => {
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    await post(alice, '#tally #tally')
    await post(alice, 'again #TALLY')
    await post(bob, '#tally')
    for (const visibility of ['unlisted', 'private', 'direct']) await post(bob, '#tally', { visibility })
    await post(bob, '#tally', { local_only: true })
    const { id } = await post(bob, 'nothing')
    await bob.client.put(`/api/v1/statuses/${id}`, { status: '#tally after all' })
    const tag = await see('tally')
    assert.deepEqual([today(tag), tag.history.length], [['3', '2'], 7])
    const midnight = Math.floor(Date.now() / DAY_MS) * (DAY_MS / 1000)
    assert.deepEqual(
      tag.history.map(({ day }) => Number(day)),
      Array.from({ length: 7 }, (_, ago) => midnight - ago * 86_400),
    )
  })

  test('VI17 is not counted where a silenced account, or nobody may, uses it', async () => {
    const [loud, quiet] = [await world.createPerson(), await world.createPerson()]
    await sql`update accounts set silenced_at = now(), version = version + 1 where id = ${quiet.accountId}`.execute(
      ctx.db,
    )
    await post(quiet, '#hushed')
    await post(loud, '#hushed')
    await sql`insert into tags (name, display_name, usable) values ('banned', 'banned', false)`.execute(ctx.db)
    await post(loud, '#banned')
    assert.deepEqual(today(await see('hushed')), ['1', '1'])
    assert.deepEqual(today(await see('banned')), ['0', '0'])
  })

  test('forgets by the hour what is older than seven days', async () => {
    const alice = await world.createPerson()
    await post(alice, '#fading')
    const used = async () => {
      const { rows } = await sql<{ recent_users: number | null; kept: number }>`
        select recent_users, (select count(*)::int from tag_uses u where u.tag_id = t.id) as kept
        from tags t where name = 'fading'`.execute(ctx.db)
      return [rows[0]!.recent_users, rows[0]!.kept]
    }
    later = 6 * DAY_MS
    await tallyTagUses(ctx)
    assert.deepEqual(await used(), [1, 1])
    assert.equal((await see('fading')).history[6]!.uses, '1')
    later = 7 * DAY_MS
    await tallyTagUses(ctx)
    assert.deepEqual(await used(), [0, 0])
    later = 0
    await post(alice, '#fading')
    assert.deepEqual(await used(), [1, 1])
  })

  test('is counted exactly, however many write it at once', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, async () => world.createPerson()))
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => post(people[n % 5]!, n % 2 ? '#rush #hour' : '#hour and #rush')),
    )
    for (const name of ['rush', 'hour']) assert.deepEqual(today(await see(name)), ['50', '5'])
  })
})

suite('followed hashtags', () => {
  test('are followed once and unfollowed once, however often it is asked', async () => {
    const alice = await world.createPerson()
    for (let times = 0; times < 2; times += 1) {
      const { status, body } = await act(alice, 'Knitting', 'follow')
      assert.deepEqual([status, body.name, body.following], [200, 'Knitting', true])
      assertOnWire('Tag', body)
    }
    assert.equal((await see('knitting', alice.client)).following, true)
    assert.deepEqual(names((await alice.client.get('/api/v1/followed_tags')).body), ['Knitting'])
    for (let times = 0; times < 2; times += 1) {
      assert.equal((await act(alice, 'KNITTING', 'unfollow')).body.following, false)
    }
    assert.deepEqual((await alice.client.get('/api/v1/followed_tags')).body, [])
    assert.equal((await act(alice, 'neverfollowed', 'unfollow')).body.id, '')
  })

  test('cost as many statements for many as for one', async () => {
    const [one, many] = [await world.createPerson(), await world.createPerson()]
    await act(one, 'single', 'follow')
    for (let n = 0; n < 60; n += 1) await act(many, `many${n}`, 'follow')
    const cost = (person: Person) => countQueries(async () => person.client.get('/api/v1/followed_tags'))
    await cost(one)
    assert.equal(await cost(many), await cost(one))
    assert.equal((await many.client.get('/api/v1/followed_tags')).body.length, 60)
  })

  test('BI19 are counted with the people somebody follows: the 401st follow of a day waits', async () => {
    later = untilWindow(24)
    const [alice, bob] = [await world.createPerson(), await world.createPerson()]
    for (let n = 0; n < 400; n += 1) {
      if (n % 200 === 0) later += 600_000
      const answer = await (n % 2
        ? act(alice, 'again', 'follow')
        : alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`))
      assert.equal(answer.status, 200)
    }
    later += 600_000
    const refused = await act(alice, 'more', 'follow')
    assert.deepEqual([refused.status, refused.headers['x-ratelimit-limit']], [429, '400'])
    assert.equal((await alice.client.post(`/api/v1/accounts/${bob.accountId}/follow`)).status, 429)
    assert.equal((await act(alice, 'again', 'unfollow')).status, 200)
    later = 0
  })
})

test('masto.js sees, follows and features hashtags, and lists them', async () => {
  const port = await findPort()
  const domain = `localhost:${port}`
  const listening = await openWorld({ env: { PORT: port, LOCAL_DOMAIN: domain } })
  try {
    await listening.listen()
    const ann = await listening.createPerson({ username: 'ann' })
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
    await listening.close()
  }
})

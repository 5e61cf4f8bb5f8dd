import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import type { Client } from '../../../../test/client.ts'
import { openFediverse } from '../../../../test/fediverse.ts'
import { walkPages } from '../../../../test/walk.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import type { Person } from '../../../../test/world.ts'
import { changeSetting } from '../../../domain/instance/settings.ts'
import type { FeedAccess, FeedSide, FeedSubject } from '../../../domain/feeds/access.ts'

const { world, peer, deliver, befriend, close } = await openFediverse({ hosts: ['remote.test'] })
after(close)

const alice = await world.createPerson({ username: 'alice' })
const bob = await peer.host('remote.test').createActor('bob')
await befriend(alice, bob)

const post = async (author: Person, status: string, more: object = {}): Promise<string> =>
  (await author.client.post('/api/v1/statuses', { status, ...more })).body.id
const read = async (client: Client, path: string) => (await client.get(`/api/v1/timelines/${path}`)).body
const idsOf = async (client: Client, path: string): Promise<string[]> =>
  (await read(client, path)).map(({ id }: { id: string }) => id)
async function hearOf(tag: string): Promise<string> {
  const note = bob.note({ tag: [{ type: 'Hashtag', name: `#${tag}`, href: `https://remote.test/tags/${tag}` }] })
  await deliver(bob, bob.activity('Create', note, { to: note['to'], cc: note['cc'] }))
  const [{ id }] = await read(alice.client, `tag/${tag}?remote=true`)
  return id
}

suite('the timeline of a hashtag', () => {
  test('holds what is public with it, replies included, newest first, page by page', async () => {
    const ids: string[] = []
    for (let n = 0; n < 7; n += 1) ids.unshift(await post(alice, `number ${n} #Pages`))
    const reply = await post(await world.createPerson(), 'me too #pages', { in_reply_to_id: ids[0] })
    const all = [reply, ...ids]
    for (const name of ['pages', 'PAGES', 'Pages']) {
      assert.deepEqual((await walkPages(world.anonymous, `/api/v1/timelines/tag/${name}?limit=3`)).flat(), all)
    }
    const up = await walkPages(alice.client, `/api/v1/timelines/tag/pages?limit=3&min_id=${ids.at(-1)}`, 'prev')
    assert.deepEqual(up.toReversed().flat(), all.slice(0, -1))
    assertOnWire('Status', (await read(alice.client, 'tag/pages'))[0])
    assert.deepEqual(await read(world.anonymous, 'tag/neverused'), [])
  })

  test('VI17 leaves out what is not public, boosts, and limited people', async () => {
    const limited = await world.createPerson()
    const open = await post(alice, 'open #careful')
    for (const visibility of ['unlisted', 'private', 'direct'])
      await post(alice, `${visibility} #careful`, { visibility })
    await alice.client.post(`/api/v1/statuses/${open}/reblog`)
    await post(limited, 'limited #careful')
    await world.ctx.db
      .updateTable('accounts')
      .set({ silenced_at: new Date() })
      .where('id', '=', limited.accountId)
      .execute()
    for (const client of [world.anonymous, alice.client]) assert.deepEqual(await idsOf(client, 'tag/careful'), [open])
  })

  test('VI14 shows nobody the posts of those whom they block, mute, or are blocked by', async () => {
    const [author, viewer] = [await world.createPerson(), await world.createPerson()]
    const id = await post(author, 'hello #between')
    const relate = (from: Person, action: string, to: Person) =>
      from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)
    for (const [from, to, action] of [
      [viewer, author, 'block'],
      [viewer, author, 'mute'],
      [author, viewer, 'block'],
    ] as const) {
      await relate(from, action, to)
      assert.deepEqual(await idsOf(viewer.client, 'tag/between'), [], action)
      await relate(from, `un${action}`, to)
      assert.deepEqual(await idsOf(viewer.client, 'tag/between'), [id])
    }
  })

  test('any adds hashtags, all and none narrow them down, and the links keep them', async () => {
    const [one, two, both, three] = [
      await post(alice, '#one'),
      await post(alice, '#two'),
      await post(alice, '#one #two'),
      await post(alice, '#one #three'),
    ]
    const cases: [string, string[]][] = [
      ['tag/one', [three, both, one]],
      ['tag/one?any[]=two', [three, both, two, one]],
      ['tag/one?all[]=two', [both]],
      ['tag/one?all[]=two&all[]=Two', [both]],
      ['tag/one?all[]=two&all[]=three', []],
      ['tag/one?all[]=two&all[]=never', []],
      ['tag/one?none[]=two', [three, one]],
      ['tag/one?none[]=two&none[]=three&none[]=never', [one]],
      ['tag/one?any[]=two&none[]=three', [both, two, one]],
      ['tag/one?all[]=never', []],
      ['tag/one?all[]=no%20tag', []],
      ['tag/one?any=two', [three, both, two, one]],
      ['tag/one?all[]=&any[]=%20&none[]=', [three, both, one]],
      ['tag/one?all[]=&all[]=&all[]=&all[]=&all[]=two', [both]],
    ]
    for (const [path, ids] of cases) assert.deepEqual(await idsOf(alice.client, path), ids, path)
    const pages = await walkPages(alice.client, '/api/v1/timelines/tag/one?any[]=two&none[]=three&limit=1')
    assert.deepEqual(pages, [[both], [two], [one]])
  })

  test('local, remote and only_media choose among them', async () => {
    const here = await post(alice, 'here #sides')
    const there = await hearOf('sides')
    assert.deepEqual(await idsOf(alice.client, 'tag/sides'), [there, here])
    assert.deepEqual(await idsOf(alice.client, 'tag/sides?local=true'), [here])
    assert.deepEqual(await idsOf(alice.client, 'tag/sides?remote=true'), [there])
    assert.deepEqual(await idsOf(alice.client, 'tag/sides?only_media=true'), [])
  })

  test('masto.js reads it', async () => {
    const id = await post(alice, 'by client #mastojs')
    const masto = createRestAPIClient({ url: await world.listen(), accessToken: alice.token })
    const [found] = await masto.v1.timelines.tag.$select('mastojs').list({ local: true })
    assert.equal(found?.id, id)
  })
})

suite('who may read public timelines', () => {
  const staff = world.createPerson({ role: 'moderator' })
  const set = (side: FeedSide, subject: FeedSubject, access: FeedAccess) =>
    world.ctx.write((tx) => changeSetting(tx, { name: `timelines-${side}-${subject}`, text: access }))
  const PATHS = { live: 'public', topic: 'tag/access' } as const

  for (const subject of ['live', 'topic'] as const) {
    const path = PATHS[subject]
    test(`the ${subject} timelines may be for members only, or for nobody but those whose role shows them`, async () => {
      const here = await post(alice, 'here #access')
      const there = await hearOf('access')
      const statusOf = async (query: string) => (await world.anonymous.get(`/api/v1/timelines/${path}${query}`)).status
      const has = async (person: Person, query = '') => {
        const ids = await idsOf(person.client, `${path}?limit=40${query}`)
        return [ids.includes(here), ids.includes(there)]
      }
      await set('remote', subject, 'authenticated')
      assert.deepEqual(
        [await statusOf(''), await statusOf('?local=true'), await statusOf('?remote=true')],
        [422, 200, 422],
      )
      assert.deepEqual(await has(alice), [true, true])
      await set('local', subject, 'disabled')
      assert.deepEqual(await has(alice), [false, true])
      assert.deepEqual(await has(alice, '&local=true'), [false, false])
      assert.deepEqual(await has(await staff), [true, true])
      const refused = await world.anonymous.get(`/api/v1/timelines/${path}`)
      assert.deepEqual(refused.body, { error: 'This method requires an authenticated user' })
      await set('local', subject, 'public')
      await set('remote', subject, 'public')
      assert.equal(await statusOf(''), 200)
    })
  }
})

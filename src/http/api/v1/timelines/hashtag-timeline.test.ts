import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import type { Client } from '../../../../../test/http/client.ts'
import { limit } from '../../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../../test/federation/fediverse.ts'
import { walkPages } from '../../../../../test/http/walk-pages.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import { changeSetting } from '../../../../domain/instance/instance-settings.ts'
import type {
  TimelineAccess,
  TimelineOrigin,
  TimelineSubject,
} from '../../../../domain/timelines/public/timeline-access.ts'

const { testServer, peer, deliver, followEachOther, close } = await openFediverse({ hosts: ['remote.test'] })
after(close)

const alice = await testServer.createUser({ username: 'alice' })
const bob = await peer.host('remote.test').createActor('bob')
await followEachOther(alice, bob)

const post = async (author: TestUser, status: string, more: object = {}): Promise<string> =>
  (await author.client.post('/api/v1/statuses', { status, ...more })).body.id
const read = async (client: Client, path: string) => (await client.get(`/api/v1/timelines/${path}`)).body
const idsOf = async (client: Client, path: string): Promise<string[]> =>
  (await read(client, path)).map(({ id }: { id: string }) => id)
async function receiveRemoteStatus(tag: string): Promise<string> {
  const note = bob.note({ tag: [{ type: 'Hashtag', name: `#${tag}`, href: `https://remote.test/tags/${tag}` }] })
  await deliver(bob, bob.activity('Create', note, { to: note['to'], cc: note['cc'] }))
  const [{ id }] = await read(alice.client, `tag/${tag}?remote=true`)
  return id
}

suite('the timeline of a hashtag', () => {
  test('has public statuses with the hashtag, replies included, newest first, in pages', async () => {
    const ids: string[] = []
    for (let n = 0; n < 7; n += 1) ids.unshift(await post(alice, `number ${n} #Pages`))
    const reply = await post(await testServer.createUser(), 'me too #pages', { in_reply_to_id: ids[0] })
    const all = [reply, ...ids]
    for (const name of ['pages', 'PAGES', 'Pages']) {
      assert.deepEqual((await walkPages(testServer.anonymous, `/api/v1/timelines/tag/${name}?limit=3`)).flat(), all)
    }
    const up = await walkPages(alice.client, `/api/v1/timelines/tag/pages?limit=3&min_id=${ids.at(-1)}`, 'prev')
    assert.deepEqual(up.toReversed().flat(), all.slice(0, -1))
    assertEntity('Status', (await read(alice.client, 'tag/pages'))[0])
    assert.deepEqual(await read(testServer.anonymous, 'tag/neverused'), [])
  })

  test('VI17 leaves out non-public statuses, boosts and limited accounts', async () => {
    const limited = await testServer.createUser()
    const publicId = await post(alice, 'public #careful')
    for (const visibility of ['unlisted', 'private', 'direct'])
      await post(alice, `${visibility} #careful`, { visibility })
    await alice.client.post(`/api/v1/statuses/${publicId}/reblog`)
    await post(limited, 'limited #careful')
    await limit(testServer.ctx, limited)
    for (const client of [testServer.anonymous, alice.client])
      assert.deepEqual(await idsOf(client, 'tag/careful'), [publicId])
  })

  test('VI14 leaves out accounts that the viewer blocks or mutes, or that block the viewer', async () => {
    const [author, viewer] = [await testServer.createUser(), await testServer.createUser()]
    const id = await post(author, 'hello #between')
    const relate = (from: TestUser, action: string, to: TestUser) =>
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

  test('any adds hashtags, all and none filter, and the Link header keeps the parameters', async () => {
    const [first, second, both, third] = [
      await post(alice, '#one'),
      await post(alice, '#two'),
      await post(alice, '#one #two'),
      await post(alice, '#one #three'),
    ]
    const cases: [string, string[]][] = [
      ['tag/one', [third, both, first]],
      ['tag/one?any[]=two', [third, both, second, first]],
      ['tag/one?all[]=two', [both]],
      ['tag/one?all[]=two&all[]=Two', [both]],
      ['tag/one?all[]=two&all[]=three', []],
      ['tag/one?all[]=two&all[]=never', []],
      ['tag/one?none[]=two', [third, first]],
      ['tag/one?none[]=two&none[]=three&none[]=never', [first]],
      ['tag/one?any[]=two&none[]=three', [both, second, first]],
      ['tag/one?all[]=never', []],
      ['tag/one?all[]=no%20tag', []],
      ['tag/%23One', [third, both, first]],
      ['tag/%EF%BC%83one?any[]=%23two', [third, both, second, first]],
      ['tag/one?all[]=%23two', [both]],
      ['tag/one?none[]=%23two', [third, first]],
      ['tag/%23?any[]=%23two', [both, second]],
      ['tag/%23', []],
      ['tag/one?any=two', [third, both, second, first]],
      ['tag/one?all[]=&any[]=%20&none[]=', [third, both, first]],
      ['tag/one?all[]=&all[]=&all[]=&all[]=&all[]=two', [both]],
      ['tag/never?any[]=a&any[]=b&any[]=two', [both, second]],
      ['tag/never?any[]=a&any[]=b&any[]=c&any[]=two', []],
      ['tag/one?none[]=a&none[]=b&none[]=c&none[]=two', [third, first]],
      ['tag/one?none[]=a&none[]=b&none[]=c&none[]=d&none[]=two', [third, both, first]],
    ]
    for (const [path, ids] of cases) assert.deepEqual(await idsOf(alice.client, path), ids, path)
    const pages = await walkPages(alice.client, '/api/v1/timelines/tag/one?any[]=two&none[]=three&limit=1')
    assert.deepEqual(pages, [[both], [second], [first]])
  })

  test('local, remote and only_media filter the timeline', async () => {
    const localId = await post(alice, 'here #sides')
    const remoteId = await receiveRemoteStatus('sides')
    assert.deepEqual(await idsOf(alice.client, 'tag/sides'), [remoteId, localId])
    assert.deepEqual(await idsOf(alice.client, 'tag/sides?local=true'), [localId])
    assert.deepEqual(await idsOf(alice.client, 'tag/sides?remote=true'), [remoteId])
    assert.deepEqual(await idsOf(alice.client, 'tag/sides?only_media=true'), [])
  })

  test('masto.js reads the hashtag timeline', async () => {
    const id = await post(alice, 'by client #mastojs')
    const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: alice.token })
    const [found] = await masto.v1.timelines.tag.$select('mastojs').list({ local: true })
    assert.equal(found?.id, id)
  })
})

suite('access to public timelines', () => {
  const staff = testServer.createUser({ role: 'moderator' })
  const setAccess = (origin: TimelineOrigin, subject: TimelineSubject, access: TimelineAccess) =>
    testServer.ctx.write((tx) => changeSetting(tx, { by: null, name: `timelines-${origin}-${subject}`, text: access }))
  const PATHS = { live: 'public', topic: 'tag/access' } as const

  for (const subject of ['live', 'topic'] as const) {
    const path = PATHS[subject]
    test(`the ${subject} timelines can be limited to users or to roles with the permission`, async () => {
      const localId = await post(alice, 'here #access')
      const remoteId = await receiveRemoteStatus('access')
      const statusCodeOf = async (query: string) =>
        (await testServer.anonymous.get(`/api/v1/timelines/${path}${query}`)).status
      const sees = async (user: TestUser, query = '') => {
        const ids = await idsOf(user.client, `${path}?limit=40${query}`)
        return [ids.includes(localId), ids.includes(remoteId)]
      }
      await setAccess('remote', subject, 'authenticated')
      assert.deepEqual(
        [await statusCodeOf(''), await statusCodeOf('?local=true'), await statusCodeOf('?remote=true')],
        [422, 200, 422],
      )
      assert.deepEqual(await sees(alice), [true, true])
      await setAccess('local', subject, 'disabled')
      assert.deepEqual(await sees(alice), [false, true])
      assert.deepEqual(await sees(alice, '&local=true'), [false, false])
      assert.deepEqual(await sees(await staff), [true, true])
      const rejected = await testServer.anonymous.get(`/api/v1/timelines/${path}`)
      assert.deepEqual(rejected.body, { error: 'This method requires an authenticated user' })
      await setAccess('local', subject, 'public')
      await setAccess('remote', subject, 'public')
      assert.equal(await statusCodeOf(''), 200)
    })
  }
})

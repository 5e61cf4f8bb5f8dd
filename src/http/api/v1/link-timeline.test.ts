import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { sql } from 'kysely'
import { openCards } from '../../../../test/cards.ts'
import type { Client } from '../../../../test/client.ts'
import { openFediverse } from '../../../../test/fediverse.ts'
import { hasten } from '../../../../test/hasten.ts'
import { letTrend } from '../../../../test/trending.ts'
import { walkPages } from '../../../../test/walk.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import type { Person } from '../../../../test/world.ts'
import type { Status } from '../../../entities/status.ts'
import type { FeedAccess, FeedSide } from '../../../domain/feeds/access.ts'
import { changeSetting } from '../../../domain/instance/settings.ts'
import { rejectTrend } from '../../../domain/trends/judge.ts'

const fediverse = await openFediverse({ hosts: ['site.test', 'remote.test'] })
after(fediverse.close)
const { world, peer, deliver } = fediverse
const { serve, post } = openCards({ world, peer, host: 'site.test' })
const bob = await peer.host('remote.test').createActor('bob', { document: { discoverable: true } })

async function createFindable(traits: { username?: string } = {}): Promise<Person> {
  const person = await world.createPerson(traits)
  await person.client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
  return person
}
const alice = await createFindable({ username: 'alice' })
await fediverse.befriend(alice, bob)

const pathOf = (url: string) => `/api/v1/timelines/link?url=${encodeURIComponent(url)}`
const read = (client: Client, url: string) => client.get<Status[]>(pathOf(url))
const idsOf = async (client: Client, url: string) => (await read(client, url)).body.map(({ id }) => id)
const trend = (url: string) => letTrend(world.ctx, { url })
const page = (title: string) => serve(`<title>${title}</title>`)

suite('the timeline of a link', () => {
  test('holds the public statuses that link there, replies included, newest first, page by page', async () => {
    const url = page('Read')
    const other = page('Other')
    const ids: string[] = []
    for (let n = 0; n < 7; n += 1) ids.unshift(await post(alice, `${n} ${url}#${n}`))
    await post(alice, other)
    await trend(url)
    const reply = await post(await createFindable(), `also ${url}`, { in_reply_to_id: ids[0] })
    const all = [reply, ...ids]
    for (const asked of [url, `${url}#3`]) {
      assert.deepEqual((await walkPages(world.anonymous, `${pathOf(asked)}&limit=3`)).flat(), all)
    }
    const up = await walkPages(alice.client, `${pathOf(url)}&limit=3&min_id=${ids.at(-1)}`, 'prev')
    assert.deepEqual(up.toReversed().flat(), all.slice(0, -1))
    const answer = await read(alice.client, url)
    assertOnWire('Status', answer.body[0])
    assert.ok(String(answer.headers.link).includes(`url=${encodeURIComponent(url)}`))
  })

  test('is that of a page, by whichever of its addresses', async () => {
    const canonical = 'https://site.test/canonical'
    const html = `<title>One</title><link rel="canonical" href="${canonical}">`
    const [a, b] = [serve(html), serve(html)]
    const ids = [await post(alice, b), await post(alice, a)].toReversed()
    await trend(a)
    for (const url of [a, b, canonical]) assert.deepEqual(await idsOf(world.anonymous, url), ids)
  })

  test('is there only for what trends, and is let', async () => {
    const url = page('Known')
    const id = await post(alice, url)
    for (const asked of [url, 'https://site.test/nothing', 'https://never.test/', 'words', 'javascript:1']) {
      assert.equal((await read(alice.client, asked)).status, 404, asked)
    }
    assert.equal((await alice.client.get('/api/v1/timelines/link')).status, 400)
    const cardId = await trend(url)
    assert.deepEqual(await idsOf(alice.client, url), [id])
    const set = (text: string) => world.ctx.write((tx) => changeSetting(tx, { name: 'trends', text }))
    await set('off')
    assert.equal((await read(alice.client, url)).status, 404)
    await set('on')
    await world.ctx.write((tx) => rejectTrend(tx, { kind: 'link', id: cardId }))
    assert.equal((await read(alice.client, url)).status, 404)
  })

  test('VI17 leaves out what is not public, boosts, limited people, and those who do not want to be discovered', async () => {
    const url = page('Careful')
    const limited = await createFindable()
    const open = await post(alice, `open ${url}`)
    await trend(url)
    for (const visibility of ['unlisted', 'private', 'direct'])
      await post(alice, `${visibility} ${url}`, { visibility })
    await alice.client.post(`/api/v1/statuses/${open}/reblog`)
    await post(await world.createPerson(), url)
    await post(limited, url)
    await sql`update accounts set silenced_at = now() where id = ${limited.accountId}`.execute(world.ctx.db)
    for (const client of [world.anonymous, alice.client]) assert.deepEqual(await idsOf(client, url), [open])
  })

  test('VI14 shows nobody the posts of those whom they block, mute, or are blocked by, and tells of filters', async () => {
    const url = page('Between')
    const [author, viewer] = [await createFindable(), await createFindable()]
    const id = await post(author, `hello ${url}`)
    await trend(url)
    const relate = (from: Person, action: string, to: Person) =>
      from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)
    for (const [from, to, action] of [
      [viewer, author, 'block'],
      [viewer, author, 'mute'],
      [author, viewer, 'block'],
    ] as const) {
      await relate(from, action, to)
      assert.deepEqual(await idsOf(viewer.client, url), [], action)
      await relate(from, `un${action}`, to)
      assert.deepEqual(await idsOf(viewer.client, url), [id])
    }
    const filter = { title: 'greetings', context: ['public'], keywords_attributes: [{ keyword: 'hello' }] }
    await viewer.client.post('/api/v2/filters', filter)
    assert.equal((await read(viewer.client, url)).body[0]?.filtered?.length, 1)
  })

  test('holds to the switches of the owner', async () => {
    const url = page('Switched')
    const here = await post(alice, url)
    await trend(url)
    const note = bob.note({ content: `<p><a href="${url}">it</a></p>` })
    await deliver(bob, bob.activity('Create', note, { to: note['to'], cc: note['cc'] }))
    await hasten(world.ctx, 'fetchCard')
    await world.settle()
    const there = (await fediverse.getStatus(note['id'])).id
    const both = new Set([here, there])
    const set = (side: FeedSide, access: FeedAccess) =>
      world.ctx.write((tx) => changeSetting(tx, { name: `timelines-${side}-topic`, text: access }))
    assert.deepEqual(new Set(await idsOf(world.anonymous, url)), both)
    await set('remote', 'authenticated')
    assert.equal((await read(world.anonymous, url)).status, 422)
    assert.deepEqual(new Set(await idsOf(alice.client, url)), both)
    await set('remote', 'disabled')
    assert.deepEqual(await idsOf(alice.client, url), [here])
    await set('local', 'disabled')
    assert.deepEqual(await idsOf(alice.client, url), [])
    await set('local', 'public')
    await set('remote', 'public')
  })

  test('masto.js reads it', async () => {
    const url = page('By a client')
    const id = await post(alice, url)
    await trend(url)
    const masto = createRestAPIClient({ url: await world.listen(), accessToken: alice.token })
    const found = await masto.v1.timelines.link.list({ url })
    assert.deepEqual(
      found.map((status) => [status.id, status.card?.title]),
      [[id, 'By a client']],
    )
  })
})

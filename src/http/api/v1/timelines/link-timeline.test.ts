import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { openCardServer } from '../../../../../test/features/cards.ts'
import type { Client } from '../../../../../test/http/client.ts'
import { limit } from '../../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../../test/federation/fediverse.ts'
import { makeJobsDue } from '../../../../../test/jobs/make-jobs-due.ts'
import { makeCardTrend } from '../../../../../test/features/trends.ts'
import { walkPages } from '../../../../../test/http/walk-pages.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { Status } from '../../../../entities/statuses/status.ts'
import type { TimelineAccess, TimelineOrigin } from '../../../../domain/timelines/public/timeline-access.ts'
import { changeSetting } from '../../../../domain/instance/instance-settings.ts'
import { rejectTrend } from '../../../../domain/trends/review-trend.ts'

const fediverse = await openFediverse({ hosts: ['site.test', 'remote.test'] })
after(fediverse.close)
const { testServer, peer, deliver } = fediverse
const { serve, post } = openCardServer({ testServer, peer, host: 'site.test' })
const bob = await peer.host('remote.test').createActor('bob', { document: { discoverable: true } })

async function createFindable(options: { username?: string } = {}): Promise<TestUser> {
  const user = await testServer.createUser(options)
  await user.client.patch('/api/v1/accounts/update_credentials', { discoverable: true })
  return user
}
const alice = await createFindable({ username: 'alice' })
await fediverse.followEachOther(alice, bob)

const pathOf = (url: string) => `/api/v1/timelines/link?url=${encodeURIComponent(url)}`
const read = (client: Client, url: string) => client.get<Status[]>(pathOf(url))
const idsOf = async (client: Client, url: string) => (await read(client, url)).body.map(({ id }) => id)
const trend = (url: string) => makeCardTrend(testServer.ctx, { url })
const page = (title: string) => serve(`<title>${title}</title>`)

suite('the timeline of a link', () => {
  test('has public statuses with the link, replies included, newest first, in pages', async () => {
    const url = page('Read')
    const other = page('Other')
    const ids: string[] = []
    for (let n = 0; n < 7; n += 1) ids.unshift(await post(alice, `${n} ${url}#${n}`))
    await post(alice, other)
    await trend(url)
    const reply = await post(await createFindable(), `also ${url}`, { in_reply_to_id: ids[0] })
    const all = [reply, ...ids]
    for (const requestedUrl of [url, `${url}#3`]) {
      assert.deepEqual((await walkPages(testServer.anonymous, `${pathOf(requestedUrl)}&limit=3`)).flat(), all)
    }
    const up = await walkPages(alice.client, `${pathOf(url)}&limit=3&min_id=${ids.at(-1)}`, 'prev')
    assert.deepEqual(up.toReversed().flat(), all.slice(0, -1))
    const response = await read(alice.client, url)
    assertEntity('Status', response.body[0])
    assert.ok(String(response.headers.link).includes(`url=${encodeURIComponent(url)}`))
  })

  test('is the same for every URL of a page', async () => {
    const canonical = 'https://site.test/canonical'
    const html = `<title>One</title><link rel="canonical" href="${canonical}">`
    const [a, b] = [serve(html), serve(html)]
    const ids = [await post(alice, b), await post(alice, a)].toReversed()
    await trend(a)
    for (const url of [a, b, canonical]) assert.deepEqual(await idsOf(testServer.anonymous, url), ids)
  })

  test('exists only for links that trend and are approved', async () => {
    const url = page('Known')
    const id = await post(alice, url)
    for (const requestedUrl of [url, 'https://site.test/nothing', 'https://never.test/', 'words', 'javascript:1']) {
      assert.equal((await read(alice.client, requestedUrl)).status, 404, requestedUrl)
    }
    assert.equal((await alice.client.get('/api/v1/timelines/link')).status, 400)
    const cardId = await trend(url)
    assert.deepEqual(await idsOf(alice.client, url), [id])
    const set = (text: string) => testServer.ctx.write((tx) => changeSetting(tx, { by: null, name: 'trends', text }))
    await set('off')
    assert.equal((await read(alice.client, url)).status, 404)
    await set('on')
    await testServer.ctx.write((tx) => rejectTrend(tx, { kind: 'link', id: cardId, by: null }))
    assert.equal((await read(alice.client, url)).status, 404)
  })

  test('VI17 leaves out non-public statuses, boosts, limited and undiscoverable accounts', async () => {
    const url = page('Careful')
    const limited = await createFindable()
    const publicId = await post(alice, `public ${url}`)
    await trend(url)
    for (const visibility of ['unlisted', 'private', 'direct'])
      await post(alice, `${visibility} ${url}`, { visibility })
    await alice.client.post(`/api/v1/statuses/${publicId}/reblog`)
    await post(await testServer.createUser(), url)
    await post(limited, url)
    await limit(testServer.ctx, limited)
    for (const client of [testServer.anonymous, alice.client]) assert.deepEqual(await idsOf(client, url), [publicId])
  })

  test('VI14 leaves out blocked, muted and blocking accounts, and applies filters', async () => {
    const url = page('Between')
    const [author, viewer] = [await createFindable(), await createFindable()]
    const id = await post(author, `hello ${url}`)
    await trend(url)
    const relate = (from: TestUser, action: string, to: TestUser) =>
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

  test('follows the timeline access settings', async () => {
    const url = page('Switched')
    const localId = await post(alice, url)
    await trend(url)
    const note = bob.note({ content: `<p><a href="${url}">it</a></p>` })
    await deliver(bob, bob.activity('Create', note, { to: note['to'], cc: note['cc'] }))
    await makeJobsDue(testServer.ctx, 'fetchCard')
    await testServer.waitForJobs()
    const remoteId = (await fediverse.getStatus(note['id'])).id
    const both = new Set([localId, remoteId])
    const setAccess = (origin: TimelineOrigin, access: TimelineAccess) =>
      testServer.ctx.write((tx) => changeSetting(tx, { by: null, name: `timelines-${origin}-topic`, text: access }))
    assert.deepEqual(new Set(await idsOf(testServer.anonymous, url)), both)
    await setAccess('remote', 'authenticated')
    assert.equal((await read(testServer.anonymous, url)).status, 422)
    assert.deepEqual(new Set(await idsOf(alice.client, url)), both)
    await setAccess('remote', 'disabled')
    assert.deepEqual(await idsOf(alice.client, url), [localId])
    await setAccess('local', 'disabled')
    assert.deepEqual(await idsOf(alice.client, url), [])
    await setAccess('local', 'public')
    await setAccess('remote', 'public')
  })

  test('masto.js reads the link timeline', async () => {
    const url = page('By a client')
    const id = await post(alice, url)
    await trend(url)
    const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: alice.token })
    const found = await masto.v1.timelines.link.list({ url })
    assert.deepEqual(
      found.map((status) => [status.id, status.card?.title]),
      [[id, 'By a client']],
    )
  })
})

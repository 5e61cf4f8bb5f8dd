import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser } from '../../../../test/browser.ts'
import { makeRemote, makeRemoteStatus } from '../../../../test/remote.ts'
import { openWorld } from '../../../../test/world.ts'
import { changeSetting } from '../../../domain/instance/settings.ts'

const world = await openWorld()
after(world.close)
const browser = createBrowser(world.server)
const ada = await world.createPerson({ username: 'ada' })

const post = async (status: string, more: Record<string, unknown> = {}) =>
  (await ada.client.post('/api/v1/statuses', { status, ...more })).body as { id: string; uri: string }

test('a hashtag shows what people of here post with it, under every spelling, and is in no search engine', async () => {
  const shown = await post('I saw #Swifts')
  await post('nothing about birds')
  const far = await makeRemote(world.ctx)
  await makeRemoteStatus(world.ctx, {
    accountId: far,
    content: '<p>from afar</p>',
    hashtags: new Map([['swifts', 'Swifts']]),
  })
  for (const path of ['/tags/swifts', '/tags/Swifts', '/tags/SWIFTS']) {
    const { status, text, html, headers } = await browser.get(path)
    assert.equal(status, 200)
    assert.match(text, /I saw #Swifts/)
    assert.doesNotMatch(text, /nothing about birds|from afar/)
    assert.match(html, /<link rel="canonical" href="https:\/\/linnet\.test\/tags\/swifts" \/>/)
    assert.match(html, /type="application\/rss\+xml" href="https:\/\/linnet\.test\/tags\/swifts\.rss"/)
    assert.equal(headers['x-robots-tag'], 'noindex')
    assert.equal(headers['cache-control'], 'public, max-age=15, stale-while-revalidate=30')
  }
  const { body, headers } = await world.anonymous.send({
    method: 'GET',
    url: '/tags/Swifts',
    headers: { accept: 'application/activity+json' },
  })
  assert.match(String(headers['content-type']), /^application\/activity\+json/)
  assert.deepEqual(
    [body.id, body.type, body.orderedItems],
    ['https://linnet.test/tags/swifts', 'OrderedCollection', [shown.uri]],
  )
})

test('a hashtag that nobody used says so, and what can be none is nothing', async () => {
  assert.match((await browser.get('/tags/unheard')).text, /There are no public posts with this hashtag/)
  for (const path of ['/tags/a%20b', '/tags/1', '/tags/%00', '/tags/%3Cb%3E']) {
    assert.equal((await browser.get(path)).status, 404, path)
  }
})

test('limited people, and what is not public, are under no hashtag', async () => {
  await post('unlisted #owls', { visibility: 'unlisted' })
  await post('private #owls', { visibility: 'private' })
  await post('local #owls', { local_only: true })
  const loud = await world.createPerson()
  await loud.client.post('/api/v1/statuses', { status: 'loud #owls' })
  await world.ctx.db.updateTable('accounts').set({ silenced_at: new Date() }).where('id', '=', loud.accountId).execute()
  assert.doesNotMatch((await browser.get('/tags/owls')).text, /(unlisted|private|local|loud) #owls/)
})

test('hashtags have pages to walk through', async () => {
  for (let n = 100; n < 145; n += 1) await post(`walk-${n}. #walking`)
  const seen: string[] = []
  for (let path: string | undefined = '/tags/walking'; path !== undefined;) {
    const { html, text } = await browser.get(path)
    seen.push(...(text.match(/walk-\d+\./g) ?? []))
    path = /rel="next" href="([^"]+)"/.exec(html)?.[1]
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 45 }, (_, n) => `walk-${144 - n}.`),
  )
})

test('where hashtags are for people with an account, their pages and feeds are empty', async () => {
  await world.ctx.write((tx) => changeSetting(tx, { name: 'timelines-local-topic', text: 'authenticated' }))
  const { status, text } = await browser.get('/tags/swifts')
  assert.equal(status, 200)
  assert.match(text, /Only users of this server/)
  assert.doesNotMatch(text, /I saw/)
  assert.equal((await browser.get('/tags/swifts.rss')).status, 404)
  const { body } = await world.anonymous.send({
    method: 'GET',
    url: '/tags/swifts',
    headers: { accept: 'application/activity+json' },
  })
  assert.deepEqual(body.orderedItems, [])
})

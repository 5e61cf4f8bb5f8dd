import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser } from '../../../../test/http/browser.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { limit } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { changeSetting } from '../../../domain/instance/instance-settings.ts'

const testServer = await openTestServer()
after(testServer.close)
const browser = createBrowser(testServer.server)
const ada = await testServer.createUser({ username: 'ada' })

const post = async (status: string, more: Record<string, unknown> = {}) =>
  (await ada.client.post('/api/v1/statuses', { status, ...more })).body as { id: string; uri: string }

test('a hashtag page shows local posts, for every spelling, and is not indexed', async () => {
  const shown = await post('I saw #Swifts')
  await post('nothing about birds')
  const remoteAccountId = await createRemoteAccount(testServer.ctx)
  await createRemoteStatus(testServer.ctx, {
    accountId: remoteAccountId,
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
  const { body, headers } = await testServer.anonymous.send({
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

test('an unused hashtag has an empty page, and an invalid one gets 404', async () => {
  assert.match((await browser.get('/tags/unheard')).text, /There are no public posts with this hashtag/)
  for (const path of ['/tags/a%20b', '/tags/1', '/tags/%00', '/tags/%3Cb%3E']) {
    assert.equal((await browser.get(path)).status, 404, path)
  }
})

test('posts of limited accounts, and posts that are not public, are not shown', async () => {
  await post('unlisted #owls', { visibility: 'unlisted' })
  await post('private #owls', { visibility: 'private' })
  await post('local #owls', { local_only: true })
  const loud = await testServer.createUser()
  await loud.client.post('/api/v1/statuses', { status: 'loud #owls' })
  await limit(testServer.ctx, loud)
  assert.doesNotMatch((await browser.get('/tags/owls')).text, /(unlisted|private|local|loud) #owls/)
})

test('hashtag pages have older pages', async () => {
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

test('if hashtags are for users of this server only, pages are empty and feeds are missing', async () => {
  await testServer.ctx.write((tx) =>
    changeSetting(tx, { by: null, name: 'timelines-local-topic', text: 'authenticated' }),
  )
  const { status, text } = await browser.get('/tags/swifts')
  assert.equal(status, 200)
  assert.match(text, /Only users of this server/)
  assert.doesNotMatch(text, /I saw/)
  assert.equal((await browser.get('/tags/swifts.rss')).status, 404)
  const { body } = await testServer.anonymous.send({
    method: 'GET',
    url: '/tags/swifts',
    headers: { accept: 'application/activity+json' },
  })
  assert.deepEqual(body.orderedItems, [])
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createBrowser } from '../../../../test/http/browser.ts'
import { createCollection, createDiscoverableUser } from '../../../../test/features/collections.ts'
import { createRemoteAccount } from '../../../../test/federation/remote-records.ts'
import { limit, suspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const browser = createBrowser(testServer.server)

const describe = (user: TestUser, note: string) =>
  user.client.patch('/api/v1/accounts/update_credentials', { note, display_name: `Name of ${user.username}` })

test('visitors see a collection with its curator and its accounts, which they can follow', async () => {
  const [ada, bo] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
  await describe(bo, 'Watches <owls> & writes')
  await ada.client.patch('/api/v1/accounts/update_credentials', { indexable: true })
  const collection = await createCollection(ada, {
    name: 'Owls & <swifts>',
    description: 'Accounts about <birds>',
    language: 'de',
    tag_name: 'Owls',
    account_ids: [bo.accountId],
  })
  const { status, html, text, headers } = await browser.get(`/collections/${collection.id}`)
  assert.equal(status, 200)
  for (const shown of [
    'Owls & <swifts>',
    'Accounts about <birds>',
    `Curated by ${ada.username}`,
    '1 account',
    '#Owls',
    'German',
    `Name of ${bo.username}`,
    'Watches <owls> & writes',
  ])
    assert.ok(text.includes(shown), `${shown} in ${text}`)
  const { body: account } = await bo.client.get(`/api/v1/accounts/${bo.accountId}`)
  assert.ok(html.includes(`href="/authorize_interaction?uri=${encodeURIComponent(account.uri)}"`))
  assert.ok(html.includes(`aria-label="Follow \u2068Name of ${bo.username}\u2069"`))
  assert.match(html, new RegExp(`<link rel="canonical" href="https://linnet\\.test/collections/${collection.id}" />`))
  assert.match(html, /<meta property="og:description" content="Accounts about &lt;birds&gt;" \/>/)
  assert.equal(headers['link'], `<${collection.uri}>; rel="alternate"; type="application/activity+json"`)
  assert.equal(headers['x-robots-tag'], undefined)
  assert.equal(headers['cache-control'], 'public, max-age=15, stale-while-revalidate=30')
})

test('the description and the accounts of a sensitive collection are folded, and are not in its preview', async () => {
  const [ada, bo] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
  const { id } = await createCollection(ada, {
    description: 'Large spiders',
    sensitive: true,
    account_ids: [bo.accountId],
  })
  const { html, headers } = await browser.get(`/collections/${id}`)
  const [before = '', folded = ''] = html.split('<details')
  assert.doesNotMatch(before, new RegExp(`Large spiders|@${bo.username}`))
  assert.match(folded, new RegExp(`Show sensitive collection[^]*Large spiders[^]*@${bo.username}`))
  assert.equal(headers['x-robots-tag'], 'noindex')
})

test('a collection that the profile does not show, or of a limited account, is not indexed', async () => {
  const [ada, bo] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
  const { id: unlisted } = await createCollection(ada, { discoverable: false, language: 'zh-YUE' })
  const { id: limited } = await createCollection(bo)
  await limit(testServer.ctx, bo)
  for (const id of [unlisted, limited]) {
    const { status, text, headers } = await browser.get(`/collections/${id}`)
    assert.deepEqual([status, headers['x-robots-tag']], [200, 'noindex'])
    assert.match(text, /This collection has no accounts yet/)
  }
})

test('accounts that have not agreed, unknown collections and those of suspended accounts are not shown', async () => {
  const [ada, bo] = [await createDiscoverableUser(testServer), await createDiscoverableUser(testServer)]
  const { id, items } = await createCollection(ada, { account_ids: [bo.accountId] })
  await bo.client.post(`/api/v1/collections/${id}/items/${items[0]!.id}/revoke`)
  assert.doesNotMatch((await browser.get(`/collections/${id}`)).text, new RegExp(bo.username))
  await suspend(testServer.ctx, ada)
  for (const path of [`/collections/${id}`, '/collections/999999', '/collections/x'])
    assert.equal((await browser.get(path)).status, 404, path)
})

test('the page of a remote collection is on its own server', async () => {
  const accountId = await createRemoteAccount(testServer.ctx)
  const insert = async (url: string) => {
    const { id } = await testServer.ctx.db
      .insertInto('collections')
      .values({
        account_id: accountId,
        uri: `https://far.test/collections/${url.length}`,
        url,
        local: false,
        name: 'Far away',
        description: '',
        sensitive: false,
        discoverable: true,
        created_at: new Date(),
        updated_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return browser.get(`/collections/${id}`)
  }
  const { status, headers } = await insert('https://far.test/c/1')
  assert.deepEqual([status, headers['location']], [302, 'https://far.test/c/1'])
  assert.equal((await insert('javascript:alert(1)')).status, 404)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openBrowserSession } from '../../../../test/http/open-session.ts'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { captureQueries } from '../../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const { ctx } = testServer

const ada = await testServer.createUser({ username: 'ada' })
const bob = await testServer.createUser({ username: 'bob' })
const browser = await openBrowserSession(testServer, ada)
const far = await createRemoteAccount(ctx, { handle: { username: 'Far', domain: 'far.test' } })
const statusId = await createRemoteStatus(ctx, { accountId: far, uri: 'https://far.test/statuses/1' })

const post = (path: string, body: object = {}) => ada.client.post(path, body)
await post(`/api/v1/accounts/${bob.accountId}/follow`, { reblogs: false, notify: true, languages: ['de', 'en'] })
await post(`/api/v1/accounts/${far}/mute`, { notifications: false })
await post(`/api/v1/accounts/${bob.accountId}/mute`)
await post(`/api/v1/accounts/${far}/block`)
await post('/api/v1/domain_blocks', { domain: 'bad.test' })
await post(`/api/v1/statuses/${statusId}/bookmark`)
const { body: list } = await post('/api/v1/lists', { title: 'Friends, old' })
await post(`/api/v1/lists/${list.id}/accounts`, { account_ids: [bob.accountId] })
const { body: filter } = await post('/api/v2/filters', {
  title: 'Noise',
  context: ['home', 'public'],
  filter_action: 'hide',
  keywords_attributes: [{ keyword: 'loud', whole_word: false }],
})
await post(`/api/v2/filters/${filter.id}/statuses`, { status_id: statusId })

const FILES: Readonly<Record<string, [savedName: string, content: string]>> = {
  'follows.csv': [
    'following_accounts.csv',
    'Account address,Show boosts,Notify on new posts,Languages\nbob@linnet.test,false,true,"de, en"\n',
  ],
  'mutes.csv': ['muted_accounts.csv', 'Account address,Hide notifications\nFar@far.test,false\nbob@linnet.test,true\n'],
  'blocks.csv': ['blocked_accounts.csv', 'Far@far.test\n'],
  'domain_blocks.csv': ['blocked_domains.csv', 'bad.test\n'],
  'bookmarks.csv': ['bookmarks.csv', 'https://far.test/statuses/1\n'],
  'lists.csv': ['lists.csv', '"Friends, old",bob@linnet.test\n'],
}

for (const [file, [savedName, content]] of Object.entries(FILES)) {
  test(`${file} has the format of Mastodon`, async () => {
    const { status, headers, html: body } = await browser.get(`/settings/exports/${file}`)
    assert.deepEqual([status, body], [200, content])
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(headers['content-disposition'], `attachment; filename="${savedName}"`)
    assert.equal(headers['cache-control'], 'private, no-store')
  })
}

test('custom_filters.json has the format of Mastodon', async () => {
  const { headers, html: body } = await browser.get('/settings/exports/custom_filters.json')
  assert.equal(headers['content-disposition'], 'attachment; filename="custom_filters.json"')
  assert.deepEqual(JSON.parse(body), {
    custom_filters: [
      {
        title: 'Noise',
        expires_at: null,
        context: ['home', 'public'],
        action: 'hide',
        keywords_attributes: [{ keyword: 'loud', whole_word: false }],
        statuses: ['https://far.test/statuses/1'],
      },
    ],
  })
})

test('the page lists the files with their numbers of entries, and links to them', async () => {
  const { status, text, html } = await browser.get('/settings/export')
  assert.equal(status, 200)
  assert.match(text, /Follows ?1 entry.*Muted accounts ?2 entries.*Filters ?1 entry/)
  for (const file of [...Object.keys(FILES), 'custom_filters.json'])
    assert.ok(html.includes(`href="/settings/exports/${file}"`), file)
  assert.ok((await browser.get('/auth/edit')).html.includes('href="/settings/export"'))
})

test('VI11 exports contain only the data of the user who is logged in, and need a session', async () => {
  const own = await openBrowserSession(testServer, bob)
  assert.equal((await own.get('/settings/exports/blocks.csv')).html, '')
  assert.deepEqual(JSON.parse((await own.get('/settings/exports/custom_filters.json')).html), { custom_filters: [] })
  for (const path of ['/settings/export', '/settings/exports/follows.csv', '/settings/exports/custom_filters.json']) {
    const { statusCode, headers } = await testServer.server.inject({
      url: path,
      headers: { authorization: `Bearer ${ada.token}` },
    })
    assert.match(`${statusCode} ${headers.location}`, /^303 \/auth\/sign_in\?next=%2Fsettings%2Fexport$/, path)
  }
})

test('AD4 a list title that spreadsheets would execute is exported as text', async () => {
  const carl = await testServer.createUser({ username: 'carl' })
  const { body } = await carl.client.post('/api/v1/lists', { title: '=1+1' })
  await carl.client.post(`/api/v1/lists/${body.id}/accounts`, { account_ids: [carl.accountId] })
  const { html } = await (await openBrowserSession(testServer, carl)).get('/settings/exports/lists.csv')
  assert.equal(html, "'=1+1,carl@linnet.test\n")
})

test('a long list is exported completely, with a statement per thousand rows', async () => {
  const dora = await testServer.createUser({ username: 'dora' })
  await sql`with created as (
      insert into accounts (username, domain, uri, url)
      select 'many' || n, 'many.test', 'https://many.test/' || n, 'https://many.test/@' || n
      from generate_series(1, 2500) n returning id)
    insert into blocks (account_id, target_account_id) select ${dora.accountId}, id from created order by id`.execute(
    ctx.db,
  )
  const own = await openBrowserSession(testServer, dora)
  let lines: string[] = []
  const queries = await captureQueries(async () => {
    lines = (await own.get('/settings/exports/blocks.csv')).html.trimEnd().split('\n')
  })
  assert.deepEqual([lines.length, lines[0], lines.at(-1)], [2500, 'many1@many.test', 'many2500@many.test'])
  assert.equal(queries.filter((text) => text.includes('from blocks b')).length, 3)
})

test('VI11 exports name no posts that the user may not see any more', async () => {
  const reader = await testServer.createUser()
  const own = await openBrowserSession(testServer, reader)
  const author = await testServer.createUser()
  const { body: post } = await author.client.post('/api/v1/statuses', { status: 'Seen once' })
  await reader.client.post(`/api/v1/statuses/${post.id}/bookmark`)
  const { body: made } = await reader.client.post('/api/v2/filters', { title: 'Once', context: ['home'] })
  await reader.client.post(`/api/v2/filters/${made.id}/statuses`, { status_id: post.id })
  const read = async () => [
    (await own.get('/settings/exports/bookmarks.csv')).html,
    JSON.parse((await own.get('/settings/exports/custom_filters.json')).html).custom_filters[0].statuses,
  ]
  assert.deepEqual(await read(), [`${post.uri}\n`, [post.uri]])
  await author.client.post(`/api/v1/accounts/${reader.accountId}/block`)
  assert.deepEqual(await read(), ['', []])
})

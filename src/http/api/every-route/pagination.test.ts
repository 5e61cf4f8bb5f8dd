// Slow: pages through every list.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readApiDocument } from '../../../../test/http/entities/api-document.ts'
import type { Client } from '../../../../test/http/client.ts'
import { fillOperations } from '../../../../test/servers/full-operations.ts'
import { openFullLists } from '../../../../test/servers/full-lists.ts'
import type { GroupedNotificationsResults } from '../../../entities/notifications/notification.ts'

const full = await openFullLists()
const { testServer, owner, quietUser, newcomer, staff, listId, statusId } = full
after(testServer.close)
const { config } = testServer.ctx
const operations = await fillOperations(testServer.ctx)

interface PagedList {
  /** Method and path as in the OpenAPI document. */
  key: string
  /** The requested path and query, where they differ from the key. */
  path?: string
  client?: Client
  expected: readonly string[]
  /** Whether the order is tested elsewhere. */
  unordered?: boolean
  /** The default and the largest number of rows of a page. */
  size: readonly [number, number]
  /**
   * The Link header. `timeline`, `posts`, `list`: see `setLinkHeader` · `offset`: links with an offset · `always`: the
   * same, on every page · `none`: no Link header.
   */
  style: 'timeline' | 'posts' | 'list' | 'offset' | 'always' | 'none'
  rowsOf?(body: unknown): { id: string }[]
  /** Queries that return all rows at once. */
  whole?: readonly string[]
}

const ACCOUNTS = { size: [40, 80], style: 'list', expected: full.accountIds } as const
const POSTS = { size: [20, 40], style: 'posts', expected: full.statuses } as const
const RANKED = { size: [40, 80], style: 'none', expected: full.accountIdsByCreation } as const
const ONLY_STAFF = { client: staff.client }
const STAFF = { ...ONLY_STAFF, size: [100, 200], style: 'posts' } as const
const accountsOf = (rows: unknown) => (rows as { account: { id: string } }[]).map(({ account }) => account)
const rowsIn = (name: string) => (body: unknown) => (body as Record<string, { id: string }[]>)[name]!
const accountLists = ['followers', 'following', 'endorsements'].map((name) => `GET /api/v1/accounts/{id}/${name}`)
const interactionLists = ['favourited_by', 'reblogged_by'].map((name) => `GET /api/v1/statuses/{id}/${name}`)

const LISTS: PagedList[] = [
  ...accountLists.map((key) => ({ key, ...ACCOUNTS })),
  ...interactionLists.map((key) => ({ key, client: testServer.anonymous, ...ACCOUNTS })),
  { key: 'GET /api/v1/follow_requests', client: quietUser.client, ...ACCOUNTS },
  { key: 'GET /api/v1/blocks', client: quietUser.client, ...ACCOUNTS },
  { key: 'GET /api/v1/mutes', client: quietUser.client, ...ACCOUNTS },
  { key: 'GET /api/v1/endorsements', whole: ['?limit=0'], ...ACCOUNTS },
  { key: 'GET /api/v1/lists/{id}/accounts', whole: ['', '?limit=0', '?limit=0&max_id=1'], ...ACCOUNTS },
  {
    key: 'GET /api/v1/domain_blocks',
    client: quietUser.client,
    size: [100, 200],
    style: 'list',
    expected: full.domains,
    rowsOf: (body) => (body as string[]).map((id) => ({ id })),
  },
  ...Object.entries(full.admin).map(([name, expected]) => ({
    key: `GET /api/v1/admin/${name}`,
    ...STAFF,
    size: [100, name.startsWith('domain_') ? 500 : 200] as const,
    expected,
  })),
  { key: 'GET /api/v1/admin/accounts/{id}/statuses', ...POSTS, ...ONLY_STAFF, expected: [statusId, ...full.statuses] },
  {
    key: 'GET /api/v1/admin/deliveries',
    ...STAFF,
    style: 'offset',
    expected: operations.hosts,
    rowsOf: (body) => (body as { domain: string }[]).map(({ domain: id }) => ({ id })),
  },
  {
    key: 'GET /api/v1/admin/jobs',
    path: '/api/v1/admin/jobs?state=dead',
    ...STAFF,
    style: 'offset',
    expected: operations.deadJobs,
  },
  {
    key: 'GET /api/v1/admin/domain_block_imports/{id}/drafts',
    path: `/api/v1/admin/domain_block_imports/${full.blockImport.importId}/drafts`,
    ...STAFF,
    size: [100, 500],
    expected: full.blockImport.drafts,
  },
  { key: 'GET /api/v1/admin/tags', ...STAFF, expected: full.allTags },
  ...['v1/admin/accounts?remote=true', 'v2/admin/accounts?origin=remote'].map((path) => ({
    key: `GET /api/${path.split('?')[0]}`,
    path: `/api/${path}&by_domain=crowd.test`,
    ...STAFF,
    style: 'posts' as const,
    expected: full.remoteAccounts,
  })),
  { key: 'GET /api/v1/invites', size: [100, 200], style: 'list', expected: full.admin.invites },
  { key: 'GET /api/v1/followed_tags', size: [100, 200], style: 'list', expected: full.tags },
  {
    key: 'GET /api/v1/accounts/{id}/statuses',
    path: `/api/v1/accounts/${owner.accountId}/statuses?tagged=walk&exclude_reblogs=true`,
    client: testServer.anonymous,
    ...POSTS,
  },
  { key: 'GET /api/v1/favourites', ...POSTS, expected: full.bookmarkIds },
  { key: 'GET /api/v1/bookmarks', ...POSTS, expected: full.bookmarkIds },
  { key: 'GET /api/v1/scheduled_statuses', ...POSTS, expected: full.scheduled },
  { key: 'GET /api/v1/conversations', ...POSTS, expected: full.conversations },
  { key: 'GET /api/v1/statuses/{id}/quotes', ...POSTS, style: 'list', expected: full.bookmarkIds },
  { key: 'GET /api/v1/timelines/home', ...POSTS, style: 'timeline', expected: [statusId, ...full.statuses] },
  {
    key: 'GET /api/v1/timelines/public',
    client: testServer.anonymous,
    ...POSTS,
    expected: [...full.trends.statuses, ...full.statuses],
    style: 'timeline',
  },
  { key: 'GET /api/v1/timelines/tag/{name}', ...POSTS, style: 'timeline' },
  {
    key: 'GET /api/v1/timelines/link',
    path: `/api/v1/timelines/link?url=${encodeURIComponent(full.linked)}`,
    ...POSTS,
    expected: full.linking,
    style: 'timeline',
  },
  { key: 'GET /api/v1/timelines/list/{id}', ...POSTS, style: 'timeline' },
  {
    key: 'GET /api/v1/notifications',
    path: '/api/v1/notifications?types[]=follow',
    ...ACCOUNTS,
    style: 'timeline',
    rowsOf: accountsOf,
  },
  { key: 'GET /api/v1/notifications/requests', ...ACCOUNTS, style: 'timeline', rowsOf: accountsOf },
  {
    key: 'GET /api/v2/notifications',
    path: '/api/v2/notifications?types[]=follow&grouped_types[]=none',
    ...ACCOUNTS,
    style: 'timeline',
    rowsOf: (body) =>
      (body as GroupedNotificationsResults).notification_groups.map((group) => ({ id: group.sample_account_ids[0]! })),
  },
  {
    key: 'GET /api/v2/notifications/{group_key}/accounts',
    path: '/api/v2/notifications/follow-1/accounts',
    ...ACCOUNTS,
    style: 'posts',
  },
  { key: 'GET /api/v1/accounts/search', path: '/api/v1/accounts/search?q=walker', ...RANKED, unordered: true },
  { key: 'GET /api/v1/directory', path: '/api/v1/directory?order=new', client: testServer.anonymous, ...RANKED },
  { key: 'GET /api/v1/suggestions', client: newcomer.client, ...RANKED },
  { key: 'GET /api/v2/suggestions', client: newcomer.client, ...RANKED, rowsOf: accountsOf },
  { key: 'GET /api/v1/admin/suggestions', ...ONLY_STAFF, ...RANKED, style: 'offset', rowsOf: accountsOf },
  ...(['accounts', 'hashtags'] as const).map((type) => ({
    key: 'GET /api/v2/search',
    path: `/api/v2/search?type=${type}&q=${type === 'accounts' ? 'walker' : 'stroll'}`,
    expected: type === 'accounts' ? full.accountIds : full.tags,
    unordered: true,
    size: [20, 40] as const,
    style: 'none' as const,
    rowsOf: rowsIn(type),
  })),
  ...['v1', 'v1_alpha'].map((version) => ({
    key: `GET /api/${version}/accounts/{id}/collections`,
    client: testServer.anonymous,
    size: [40, 100] as const,
    style: 'offset' as const,
    expected: full.collections,
    rowsOf: rowsIn('collections'),
  })),
  {
    key: 'GET /api/v1/accounts/{id}/in_collections',
    size: [40, 80],
    style: 'offset',
    expected: full.collections,
    rowsOf: rowsIn('collections'),
  },
  ...['trends', 'trends/tags', 'admin/trends/tags'].map((name) => ({
    key: `GET /api/v1/${name}`,
    client: name.startsWith('admin') ? staff.client : owner.client,
    expected: full.trends.tags,
    size: [10, 20] as const,
    style: 'always' as const,
  })),
  ...['trends/statuses', 'admin/trends/statuses'].map((name) => ({
    key: `GET /api/v1/${name}`,
    client: name.startsWith('admin') ? staff.client : owner.client,
    expected: full.trends.statuses,
    size: [20, 40] as const,
    style: 'always' as const,
  })),
  ...['trends/links', 'admin/trends/links'].map((name) => ({
    key: `GET /api/v1/${name}`,
    client: name.startsWith('admin') ? staff.client : testServer.anonymous,
    expected: full.trends.links,
    size: [10, 20] as const,
    style: 'always' as const,
    rowsOf: (body: unknown) => (body as { url: string }[]).map(({ url }) => ({ id: url })),
  })),
]

const ID: Record<string, string> = {
  accounts: owner.accountId,
  statuses: statusId,
  lists: listId,
  timelines: listId,
  reports: full.admin.reports[0]!,
  webhooks: full.admin.webhooks[0]!,
}
const CURSOR = { timeline: 'min_id', posts: 'min_id', list: 'since_id', offset: 'offset', always: 'offset', none: '' }
const PAGE = 17

/** Returns the path of a route with the ids of the test server. */
function pathOf(key: string): string {
  const [, collection = ''] = /\/v\w+\/(?:admin\/)?(\w+)/.exec(key)!
  return key
    .slice('GET '.length)
    .replace('{id}', ID[collection] ?? '')
    .replace('{name}', 'walk')
}

for (const list of LISTS) {
  const { key, path = pathOf(key), client = owner.client, expected, unordered = false, size, style, whole = [] } = list
  const rowsOf = list.rowsOf ?? ((body) => body as { id: string }[])
  const base = path + (path.includes('?') ? '&' : '?')
  const isLinked = style !== 'none'
  const emptyPage = { ids: [], next: undefined, prev: undefined }

  const read = async (url: string) => {
    const { status, body, headers } = await full.get(client, url)
    assert.equal(status, 200, url)
    const links = new Map<string, string>()
    for (const [, href, rel] of String(headers.link ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)) {
      assert.ok(href!.startsWith(`${config.origin}/api/`), href!)
      links.set(rel!, href!.slice(config.origin.length))
    }
    return { ids: rowsOf(body).map(({ id }) => id), next: links.get('next'), prev: links.get('prev') }
  }
  const readAll = async () => {
    const pages: Awaited<ReturnType<typeof read>>[] = []
    for (let url: string | undefined = `${base}limit=${PAGE}`; url !== undefined;) {
      const page = await read(url)
      pages.push(page)
      if (page.ids.length === 0) break
      url = isLinked ? page.next : `${base}limit=${PAGE}&offset=${pages.length * PAGE}`
    }
    return pages
  }

  test(`BI2 ${list.path ?? key} returns every row once, page by page`, async () => {
    const pages = await readAll()
    const all = pages.flatMap(({ ids }) => ids)
    assert.deepEqual(unordered ? all.toSorted() : all, unordered ? expected.toSorted() : expected)
    const fullPages = Math.floor(expected.length / PAGE)
    for (const [n, { ids, next, prev }] of pages.entries()) {
      assert.equal(ids.length, n < fullPages ? PAGE : n > fullPages ? 0 : expected.length % PAGE)
      // A timeline has a next link while a page has rows, other lists while pages are full.
      assert.equal(next !== undefined, isLinked && ids.length >= (style === 'timeline' ? 1 : PAGE), `page ${n}`)
      const hasPrev = style === 'always' || (style === 'offset' ? n > 0 : ids.length > 0)
      assert.equal(prev !== undefined, isLinked && hasPrev, `page ${n}`)
      if (prev === undefined) continue
      const carriedParams = [...new URL(path, config.origin).searchParams.keys()]
      const { searchParams } = new URL(prev, config.origin)
      assert.deepEqual([...searchParams.keys()].toSorted(), ['limit', CURSOR[style], ...carriedParams].toSorted())
    }
    if (!isLinked) return
    const [first, second] = pages
    assert.deepEqual((await read(second!.prev!)).ids, first!.ids)
    if (CURSOR[style] === 'offset') return
    assert.deepEqual((await read(first!.prev!)).ids, [])
    const cursor = new URL(first!.next!, config.origin).searchParams.get('max_id')
    assert.deepEqual((await read(`${base}limit=5&min_id=${cursor}`)).ids, first!.ids.slice(-6, -1))
  })

  test(`BI2 ${list.path ?? key} returns ${size[0]} rows by default and at most ${size[1]}`, async () => {
    const count = async (query: string) => (await read(base + query)).ids.length
    if (!whole.includes('')) assert.equal(await count(''), Math.min(size[0], expected.length))
    assert.equal(await count('limit=1000'), Math.min(size[1], expected.length))
    assert.equal(await count('limit=-2'), 2)
    if (style === 'always') assert.ok((await read(`${base}limit=0`)).prev)
    else if (!whole.includes('?limit=0')) assert.deepEqual(await read(`${base}limit=0`), emptyPage)
    for (const query of whole) assert.deepEqual(await read(path + query), { ...emptyPage, ids: [...expected] })
  })
}

test('later pages of collections have fewer rows than the first page', async () => {
  const path = `/api/v1/accounts/${owner.accountId}/collections?limit=100&offset=5`
  assert.equal((await full.get(testServer.anonymous, path)).body.collections.length, 80)
})

test('the tests above cover every paged list', async () => {
  const { routes } = await readApiDocument(testServer)
  const covered = new Set(LISTS.map(({ key }) => key))
  const paged = routes.filter(({ operation }) =>
    operation.parameters?.some(({ name }) => name === 'max_id' || name === 'offset'),
  )
  for (const { key } of paged) assert.ok(covered.has(key), `${key} has no row in LISTS`)
})

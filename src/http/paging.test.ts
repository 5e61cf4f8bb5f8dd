// Slow: pages through every list.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readApi } from '../../test/api-document.ts'
import type { Client } from '../../test/client.ts'
import { openFullWorld } from '../../test/full-world.ts'
import type { GroupedNotificationsResults } from '../entities/notification.ts'

const full = await openFullWorld()
const { world, owner, silent, newcomer, listId, statusId } = full
after(world.close)
const { config } = world.ctx

interface Walked {
  /** As the description of the API has it. */
  key: string
  /** Where it is more than that. */
  path?: string
  client?: Client
  expected: readonly string[]
  /** Whether the order is another matter. */
  unordered?: boolean
  /** Rows of a page when no number is asked for, and at most. */
  size: readonly [number, number]
  /** What its links say: as `linkPages` has it; `offset`: counted from the top; `always`: the same, with a link on every page; `none`: without. */
  style: 'timeline' | 'posts' | 'list' | 'offset' | 'always' | 'none'
  rowsOf?(body: unknown): { id: string }[]
  /** What asks for everything at once. */
  whole?: readonly string[]
}

const ACCOUNTS = { size: [40, 80], style: 'list', expected: full.people } as const
const POSTS = { size: [20, 40], style: 'posts', expected: full.statuses } as const
const RANKED = { size: [40, 80], style: 'none', expected: full.peopleById } as const
const ofAccount = (rows: unknown) => (rows as { account: { id: string } }[]).map(({ account }) => account)
const named = (name: string) => (body: unknown) => (body as Record<string, { id: string }[]>)[name]!
const accountLists = ['followers', 'following', 'endorsements'].map((name) => `GET /api/v1/accounts/{id}/${name}`)
const admirers = ['favourited_by', 'reblogged_by'].map((name) => `GET /api/v1/statuses/{id}/${name}`)

const LISTS: Walked[] = [
  ...accountLists.map((key) => ({ key, ...ACCOUNTS })),
  ...admirers.map((key) => ({ key, client: world.anonymous, ...ACCOUNTS })),
  { key: 'GET /api/v1/follow_requests', client: silent.client, ...ACCOUNTS },
  { key: 'GET /api/v1/blocks', client: silent.client, ...ACCOUNTS },
  { key: 'GET /api/v1/mutes', client: silent.client, ...ACCOUNTS },
  { key: 'GET /api/v1/endorsements', whole: ['?limit=0'], ...ACCOUNTS },
  { key: 'GET /api/v1/lists/{id}/accounts', whole: ['', '?limit=0', '?limit=0&max_id=1'], ...ACCOUNTS },
  {
    key: 'GET /api/v1/domain_blocks',
    client: silent.client,
    size: [100, 200],
    style: 'list',
    expected: full.domains,
    rowsOf: (body) => (body as string[]).map((id) => ({ id })),
  },
  { key: 'GET /api/v1/followed_tags', size: [100, 200], style: 'list', expected: full.tags },
  {
    key: 'GET /api/v1/accounts/{id}/statuses',
    path: `/api/v1/accounts/${owner.accountId}/statuses?tagged=walk&exclude_reblogs=true`,
    client: world.anonymous,
    ...POSTS,
  },
  { key: 'GET /api/v1/favourites', ...POSTS, expected: full.kept },
  { key: 'GET /api/v1/bookmarks', ...POSTS, expected: full.kept },
  { key: 'GET /api/v1/scheduled_statuses', ...POSTS, expected: full.scheduled },
  { key: 'GET /api/v1/conversations', ...POSTS, expected: full.conversations },
  { key: 'GET /api/v1/statuses/{id}/quotes', ...POSTS, style: 'list', expected: full.kept },
  { key: 'GET /api/v1/timelines/home', ...POSTS, style: 'timeline', expected: [statusId, ...full.statuses] },
  {
    key: 'GET /api/v1/timelines/public',
    client: world.anonymous,
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
    rowsOf: ofAccount,
  },
  { key: 'GET /api/v1/notifications/requests', ...ACCOUNTS, style: 'timeline', rowsOf: ofAccount },
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
  { key: 'GET /api/v1/directory', path: '/api/v1/directory?order=new', client: world.anonymous, ...RANKED },
  { key: 'GET /api/v1/suggestions', client: newcomer.client, ...RANKED },
  { key: 'GET /api/v2/suggestions', client: newcomer.client, ...RANKED, rowsOf: ofAccount },
  ...(['accounts', 'hashtags'] as const).map((type) => ({
    key: 'GET /api/v2/search',
    path: `/api/v2/search?type=${type}&q=${type === 'accounts' ? 'walker' : 'stroll'}`,
    expected: type === 'accounts' ? full.people : full.tags,
    unordered: true,
    size: [20, 40] as const,
    style: 'none' as const,
    rowsOf: named(type),
  })),
  ...['v1', 'v1_alpha'].map((version) => ({
    key: `GET /api/${version}/accounts/{id}/collections`,
    client: world.anonymous,
    size: [40, 100] as const,
    style: 'offset' as const,
    expected: full.collections,
    rowsOf: named('collections'),
  })),
  {
    key: 'GET /api/v1/accounts/{id}/in_collections',
    size: [40, 80],
    style: 'offset',
    expected: full.collections,
    rowsOf: named('collections'),
  },
  ...['trends', 'trends/tags'].map((name) => ({
    key: `GET /api/v1/${name}`,
    expected: full.trends.tags,
    size: [10, 20] as const,
    style: 'always' as const,
  })),
  { key: 'GET /api/v1/trends/statuses', expected: full.trends.statuses, size: [20, 40], style: 'always' },
  {
    key: 'GET /api/v1/trends/links',
    client: world.anonymous,
    expected: full.trends.links,
    size: [10, 20],
    style: 'always',
    rowsOf: (body) => (body as { url: string }[]).map(({ url }) => ({ id: url })),
  },
]

const ID: Record<string, string> = { accounts: owner.accountId, statuses: statusId, lists: listId, timelines: listId }
const CURSOR = { timeline: 'min_id', posts: 'min_id', list: 'since_id', offset: 'offset', always: 'offset', none: '' }
const PAGE = 17

/** The path of a route of the description, with the ids that this world has. */
function pathOf(key: string): string {
  const [collection] = /(?<=\/v\w+\/)\w+/.exec(key)!
  return key
    .slice('GET '.length)
    .replace('{id}', ID[collection] ?? '')
    .replace('{name}', 'walk')
}

for (const one of LISTS) {
  const { key, path = pathOf(key), client = owner.client, expected, unordered = false, size, style, whole = [] } = one
  const rowsOf = one.rowsOf ?? ((body) => body as { id: string }[])
  const base = path + (path.includes('?') ? '&' : '?')
  const isLinked = style !== 'none'
  const nothing = { ids: [], next: undefined, prev: undefined }

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

  test(`BI2 ${one.path ?? key} gives every row once, page by page`, async () => {
    const pages = await readAll()
    const all = pages.flatMap(({ ids }) => ids)
    assert.deepEqual(unordered ? all.toSorted() : all, unordered ? expected.toSorted() : expected)
    const fullPages = Math.floor(expected.length / PAGE)
    for (const [n, { ids, next, prev }] of pages.entries()) {
      assert.equal(ids.length, n < fullPages ? PAGE : n > fullPages ? 0 : expected.length % PAGE)
      // A timeline leads on as long as there is anything, other lists as long as pages are full.
      assert.equal(next !== undefined, isLinked && ids.length >= (style === 'timeline' ? 1 : PAGE), `page ${n}`)
      const leadsBack = style === 'always' || (style === 'offset' ? n > 0 : ids.length > 0)
      assert.equal(prev !== undefined, isLinked && leadsBack, `page ${n}`)
      if (prev === undefined) continue
      const kept = [...new URL(path, config.origin).searchParams.keys()]
      const { searchParams } = new URL(prev, config.origin)
      assert.deepEqual([...searchParams.keys()].toSorted(), ['limit', CURSOR[style], ...kept].toSorted())
    }
    if (!isLinked) return
    const [first, second] = pages
    assert.deepEqual((await read(second!.prev!)).ids, first!.ids)
    if (CURSOR[style] === 'offset') return
    assert.deepEqual((await read(first!.prev!)).ids, [])
    const cursor = new URL(first!.next!, config.origin).searchParams.get('max_id')
    assert.deepEqual((await read(`${base}limit=5&min_id=${cursor}`)).ids, first!.ids.slice(-6, -1))
  })

  test(`BI2 ${one.path ?? key} gives ${size[0]} rows, or as many as are asked for up to ${size[1]}`, async () => {
    const count = async (query: string) => (await read(base + query)).ids.length
    if (!whole.includes('')) assert.equal(await count(''), Math.min(size[0], expected.length))
    assert.equal(await count('limit=1000'), Math.min(size[1], expected.length))
    assert.equal(await count('limit=-2'), 2)
    if (style === 'always') assert.ok((await read(`${base}limit=0`)).prev)
    else if (!whole.includes('?limit=0')) assert.deepEqual(await read(`${base}limit=0`), nothing)
    for (const query of whole) assert.deepEqual(await read(path + query), { ...nothing, ids: [...expected] })
  })
}

test('further pages of collections hold fewer of them than the first', async () => {
  const path = `/api/v1/accounts/${owner.accountId}/collections?limit=100&offset=5`
  assert.equal((await full.get(world.anonymous, path)).body.collections.length, 80)
})

test('every list that comes in pages is among those above', async () => {
  const { routes } = await readApi(world)
  const walked = new Set(LISTS.map(({ key }) => key))
  const paged = routes.filter(({ operation }) =>
    operation.parameters?.some(({ name }) => name === 'max_id' || name === 'offset'),
  )
  const forgotten = paged.map(({ key }) => key).filter((key) => !walked.has(key))
  assert.deepEqual(forgotten, [], 'lists without a row in LISTS')
})

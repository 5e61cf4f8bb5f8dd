import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../../../test/performance/count-queries.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { suspend } from '../../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../../test/servers/test-server.ts'
import type { GroupedNotificationsResults, NotificationGroup } from '../../../../entities/notifications/notification.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx

const PATH = '/api/v2/notifications'
const createUsers = (count: number): Promise<TestUser[]> =>
  Promise.all(Array.from({ length: count }, () => testServer.createUser()))
const post = async (user: TestUser, status: string): Promise<string> =>
  (await user.client.post('/api/v1/statuses', { status })).body.id
const interact = (user: TestUser, id: string, action: string) => user.client.post(`/api/v1/statuses/${id}/${action}`)
const read = async (user: TestUser, query = ''): Promise<GroupedNotificationsResults> => {
  const { status, body } = await user.client.get(`${PATH}?${query}`)
  assert.equal(status, 200)
  assertEntity('GroupedNotificationsResults', body)
  return body
}
const keys = (groups: readonly NotificationGroup[]) => groups.map(({ group_key: key }) => key)

const summarise = (groups: readonly NotificationGroup[]) =>
  groups
    .filter(({ type }) => type === 'favourite')
    .map((group) => ({
      from: group.sample_account_ids,
      count: group.notifications_count,
      min: group.page_min_id,
      max: group.page_max_id,
    }))

/** Inserts one notification by each account in `from`. Returns the ids. */
async function insertNotifications(
  user: TestUser,
  {
    type,
    key,
    from,
    statusId = null,
  }: { type: string; key: string | null; from: readonly string[]; statusId?: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into notifications (account_id, from_account_id, type, status_id, group_key)
    select ${user.accountId}, sender, ${type}, ${statusId}::bigint, ${key} from unnest(${from}::bigint[]) sender
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

test('favourites and boosts of a post, and follows, are grouped; mentions are not', async () => {
  const [alice, ...fans] = (await createUsers(11)) as [TestUser, ...TestUser[]]
  const own = await post(alice, 'my post')
  for (const fan of fans) {
    await interact(fan, own, 'favourite')
    await testServer.waitForJobs()
  }
  await interact(fans[0]!, own, 'reblog')
  await fans[0]!.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await fans[1]!.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  const mention = await post(fans[2]!, `@${alice.username} hi`)
  await testServer.waitForJobs()
  const { notification_groups: groups, accounts, statuses, ...rest } = await read(alice)
  assert.deepEqual(rest, {})
  assert.deepEqual(groups.map(({ type, notifications_count: count }) => `${type} ${count}`).toSorted(), [
    'favourite 10',
    'follow 2',
    'mention 1',
    'reblog 1',
  ])
  const favourites = groups.find(({ type }) => type === 'favourite')!
  assert.match(favourites.group_key, new RegExp(`^favourite-${own}-\\d+$`))
  assert.match(groups.find(({ type }) => type === 'mention')!.group_key, /^ungrouped-\d+$/)
  assert.deepEqual(
    favourites.sample_account_ids,
    fans
      .map(({ accountId }) => accountId)
      .toReversed()
      .slice(0, 8),
  )
  assert.equal(favourites.status_id, own)
  assert.equal(String(favourites.most_recent_notification_id), favourites.page_max_id)
  assert.deepEqual(statuses.map(({ id }) => id).toSorted(), [own, mention].toSorted())
  assert.equal(new Set(accounts.map(({ id }) => id)).size, accounts.length)
  for (const id of groups.flatMap((group) => group.sample_account_ids))
    assert.ok(accounts.some((account) => account.id === id))

  const single = await alice.client.get(`${PATH}/${favourites.group_key}`)
  assertEntity('GroupedNotificationsResults', single.body)
  assert.deepEqual(keys(single.body.notification_groups), [favourites.group_key])
  assert.equal(single.body.notification_groups[0].page_max_id, undefined)
  const groupAccounts = await alice.client.get(`${PATH}/${favourites.group_key}/accounts?limit=4`)
  assert.deepEqual(
    groupAccounts.body.map((account: { id: string }) => account.id),
    favourites.sample_account_ids.slice(0, 4),
  )
  const partial = await read(alice, 'expand_accounts=partial_avatars&types[]=favourite')
  assert.deepEqual([partial.accounts.length, partial.partial_accounts!.length], [1, 7])
  assert.equal((await alice.client.get(`${PATH}?expand_accounts=some`)).status, 400)
  const onlyReblogs = await read(alice, 'grouped_types[]=reblog&types[]=favourite')
  assert.equal(onlyReblogs.notification_groups.length, 10)
  assert.ok(keys(onlyReblogs.notification_groups).every((key) => key.startsWith('ungrouped-')))
})

test('notifications within twelve hours of the first join its group; later ones begin a new group', async () => {
  const [alice, ...fans] = (await createUsers(4)) as [TestUser, ...TestUser[]]
  const own = await post(alice, 'my post')
  const favourite = async (fan: TestUser) => {
    await interact(fan, own, 'favourite')
    await testServer.waitForJobs()
    return (await read(alice)).notification_groups.length
  }
  const age = (hours: number) =>
    sql`
    update notifications set group_key = 'favourite-' || status_id || '-' || (split_part(group_key, '-', 3)::bigint - ${hours}::bigint)
    where account_id = ${alice.accountId}`.execute(db)
  assert.equal(await favourite(fans[0]!), 1)
  await age(11)
  assert.equal(await favourite(fans[1]!), 1)
  await age(1)
  assert.equal(await favourite(fans[2]!), 2)
})

test('only on the last page, the oldest notification of a group may precede the groups of the page', async () => {
  const [alice, ...fans] = (await createUsers(4)) as [TestUser, ...TestUser[]]
  const posts = [await post(alice, 'one'), await post(alice, 'two')]
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) {
    const statusId = posts[n % 2]!
    const from = [fans[Math.floor(n / 2)]!.accountId]
    ids.push(
      ...(await insertNotifications(alice, { type: 'favourite', key: `favourite-${statusId}-1`, from, statusId })),
    )
  }
  const ranges = async (query: string) =>
    (await read(alice, query)).notification_groups.flatMap(({ page_min_id: min, page_max_id: max }) => [min!, max!])
  const positions = async (query: string) => (await ranges(query)).map((id) => ids.indexOf(id))
  assert.deepEqual(await positions(''), [0, 4, 1, 3])
  assert.deepEqual(await positions('limit=1'), [4, 4])
  assert.deepEqual(await positions(`since_id=${ids[1]}`), [2, 4, 3, 3])
})

test('dismissing a group removes all of its notifications; other users cannot reach it', async () => {
  const [alice, bob, carol] = (await createUsers(3)) as [TestUser, TestUser, TestUser]
  const own = await post(alice, 'my post')
  await interact(bob, own, 'favourite')
  await interact(carol, own, 'favourite')
  await post(bob, `@${alice.username} hi`)
  await testServer.waitForJobs()
  const groups = keys((await read(alice)).notification_groups)
  for (const key of groups) {
    assert.equal((await bob.client.get(`${PATH}/${key}`)).status, 404)
    await bob.client.post(`${PATH}/${key}/dismiss`)
    assert.deepEqual((await bob.client.get(`${PATH}/${key}/accounts`)).body, [])
  }
  assert.deepEqual(keys((await read(alice)).notification_groups), groups)
  for (const [n, key] of groups.entries()) {
    assert.deepEqual((await alice.client.post(`${PATH}/${key}/dismiss`)).body, {})
    assert.equal((await alice.client.get(`${PATH}/${key}`)).status, 404)
    assert.equal((await read(alice)).notification_groups.length, groups.length - n - 1)
  }
  for (const key of ['favourite', 'ungrouped-', 'ungrouped-x', 'ungrouped-99999999999999999999']) {
    assert.equal((await alice.client.get(`${PATH}/${key}`)).status, 404)
  }
})

test('groups are paged in both directions, each on one page', async () => {
  const [alice, ...fans] = (await createUsers(6)) as [TestUser, ...TestUser[]]
  const from = fans.map(({ accountId }) => accountId)
  // Interleaved groups, so that each has notifications beyond every page.
  const posts = await Promise.all(['one', 'two', 'three', 'four'].map((text) => post(alice, text)))
  for (const sender of from) {
    for (const statusId of posts)
      await insertNotifications(alice, { type: 'favourite', key: `favourite-${statusId}-1`, from: [sender], statusId })
    await insertNotifications(alice, { type: 'follow_request', key: null, from: [sender] })
  }
  const all = (await read(alice)).notification_groups
  assert.equal(all.length, 9)
  const newest = all.map((group) => group.most_recent_notification_id)
  assert.deepEqual(
    newest,
    newest.toSorted((a, b) => b - a),
  )
  const walkPages = async (start: string, rel: string) => {
    const pages: string[][] = []
    let next: string | undefined = start
    while (next !== undefined) {
      const { body, headers }: { body: GroupedNotificationsResults; headers: Record<string, unknown> } =
        await alice.client.get(next)
      if (body.notification_groups.length === 0) break
      pages.push(keys(body.notification_groups))
      next = new RegExp(`<https://linnet\\.test([^>]+)>; rel="${rel}"`).exec(String(headers.link))?.[1]
    }
    return pages
  }
  assert.deepEqual((await walkPages(`${PATH}?limit=2`, 'next')).flat(), keys(all))
  assert.deepEqual((await walkPages(`${PATH}?limit=2&min_id=1`, 'prev')).toReversed().flat(), keys(all))
  const since = await read(alice, `since_id=${newest[3]}`)
  assert.deepEqual(keys(since.notification_groups), keys(all).slice(0, 3))
  assert.deepEqual((await read(alice, 'limit=0')).notification_groups, [])
  assert.deepEqual((await read(alice, 'types[]=nonsense')).notification_groups, [])
  assert.deepEqual((await read(alice, 'account_id=x')).notification_groups, [])
  assert.equal((await read(alice, `account_id=${from[0]}`)).notification_groups.length, 5)
})

test('a group leaves out suspended accounts, also those of its newest and of its oldest notification', async () => {
  const [alice, oldest, shown, newest] = (await createUsers(4)) as [TestUser, TestUser, TestUser, TestUser]
  const own = await post(alice, 'my post')
  await insertNotifications(alice, { type: 'follow_request', key: null, from: [shown.accountId] })
  const from = [oldest, shown, newest].map(({ accountId }) => accountId)
  const ids = await insertNotifications(alice, { type: 'favourite', key: 'favourite-1-1', from, statusId: own })
  for (const { accountId } of [oldest, newest]) await suspend(testServer.ctx, { accountId })
  const { notification_groups: groups } = await read(alice)
  assert.deepEqual(summarise(groups), [{ from: [shown.accountId], count: 1, min: ids[1], max: ids[1] }])
  const { body } = await alice.client.get(`${PATH}/favourite-1-1`)
  assert.deepEqual([body.notification_groups[0].notifications_count], [1])
})

test('a group contains its filtered notifications only if the request includes them', async () => {
  const [alice, oldest, shown, newest] = (await createUsers(4)) as [TestUser, TestUser, TestUser, TestUser]
  const own = await post(alice, 'my post')
  await insertNotifications(alice, { type: 'follow_request', key: null, from: [shown.accountId] })
  const from = [oldest, shown, newest].map(({ accountId }) => accountId)
  const ids = await insertNotifications(alice, { type: 'favourite', key: 'favourite-2-1', from, statusId: own })
  const filteredIds = [ids[0], ids[2]]
  await sql`update notifications set filtered = true where id = any(${filteredIds}::bigint[])`.execute(db)
  assert.deepEqual(summarise((await read(alice)).notification_groups), [
    { from: [shown.accountId], count: 1, min: ids[1], max: ids[1] },
  ])
  assert.deepEqual(summarise((await read(alice, 'include_filtered=true')).notification_groups), [
    { from: from.toReversed(), count: 3, min: ids[0], max: ids[2] },
  ])
})

test('unread notifications and groups above the marker are counted up to a limit', async () => {
  const [alice, ...fans] = (await createUsers(5)) as [TestUser, ...TestUser[]]
  const own = await post(alice, 'my post')
  const from = fans.map(({ accountId }) => accountId)
  const ids = await insertNotifications(alice, { type: 'favourite', key: 'favourite-1-1', from, statusId: own })
  await insertNotifications(alice, { type: 'follow_request', key: null, from })
  const count = async (version: string, query = '') =>
    (await alice.client.get(`/api/${version}/notifications/unread_count?${query}`)).body.count
  assert.deepEqual([await count('v1'), await count('v2')], [8, 5])
  assert.deepEqual([await count('v1', 'limit=3'), await count('v2', 'limit=3')], [3, 3])
  assert.deepEqual([await count('v1', 'types[]=favourite'), await count('v2', 'types[]=favourite')], [4, 1])
  assert.equal(await count('v2', 'types[]=favourite&grouped_types[]=follow'), 4)
  await alice.client.post('/api/v1/markers', { notifications: { last_read_id: ids[1] } })
  assert.deepEqual([await count('v1'), await count('v2')], [6, 5])
  await alice.client.post('/api/v1/markers', { notifications: { last_read_id: ids.at(-1) } })
  assert.deepEqual([await count('v1'), await count('v2')], [4, 4])
})

test('a page has 40 rows by default and at most 80; counts stop at 100 by default and at most at 1000', async () => {
  const alice = await testServer.createUser()
  const { rows } = await sql<{ id: string }>`
    insert into accounts (username, domain, uri, url, inbox_url, actor_type)
    select 'sender' || n, 'remote.test', 'https://remote.test/' || n, '', '', 'Person' from generate_series(1, 1001) n
    returning id`.execute(db)
  await sql`insert into account_stats (account_id) select id from accounts on conflict do nothing`.execute(db)
  await insertNotifications(alice, { type: 'follow_request', key: null, from: rows.map(({ id }) => id) })
  for (const [version, lengthOf] of [
    ['v1', (body: unknown[]) => body.length],
    ['v2', (body: GroupedNotificationsResults) => body.notification_groups.length],
  ] as const) {
    const read = async (path: string) => (await alice.client.get(`/api/${version}/notifications${path}`)).body
    const lengths = await Promise.all(['', '?limit=0', '?limit=50', '?limit=-50', '?limit=1000'].map(read))
    assert.deepEqual(lengths.map(lengthOf), [40, 0, 50, 50, 80], version)
    const counts = await Promise.all(['', '?limit=7', '?limit=9999'].map((query) => read(`/unread_count${query}`)))
    assert.deepEqual(counts, [{ count: 100 }, { count: 7 }, { count: 1_000 }], version)
  }
})

test('all notifications are dismissed at once', async () => {
  const [alice, bob] = (await createUsers(2)) as [TestUser, TestUser]
  await insertNotifications(alice, { type: 'follow_request', key: null, from: [bob.accountId] })
  assert.deepEqual((await alice.client.post(`${PATH}/clear`)).body, {})
  assert.deepEqual((await read(alice)).notification_groups, [])
})

test('every page size of groups runs the same number of SQL statements', async () => {
  const [alice, ...fans] = (await createUsers(6)) as [TestUser, ...TestUser[]]
  const from = fans.map(({ accountId }) => accountId)
  for (let n = 0; n < 5; n += 1) {
    const statusId = await post(alice, `post ${n}`)
    await insertNotifications(alice, { type: 'favourite', key: `favourite-${statusId}-1`, from, statusId })
  }
  await testServer.waitForJobs()
  // The first use of a token is recorded, which invalidates its cache entry for the second.
  for (let n = 0; n < 2; n += 1) await read(alice)
  const short = await countQueries(() => read(alice, 'limit=1'))
  const long = await countQueries(() => read(alice, 'limit=5'))
  assert.equal(long, short)
  assert.ok(long <= 6, String(long))
})

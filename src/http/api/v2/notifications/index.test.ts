import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../../../test/count-queries.ts'
import { assertOnWire } from '../../../../../test/wire.ts'
import { openWorld } from '../../../../../test/world.ts'
import type { Person } from '../../../../../test/world.ts'
import type { GroupedNotificationsResults, NotificationGroup } from '../../../../entities/notification.ts'

const world = await openWorld()
after(world.close)
const { db } = world.ctx

const PATH = '/api/v2/notifications'
const people = (count: number): Promise<Person[]> =>
  Promise.all(Array.from({ length: count }, () => world.createPerson()))
const post = async (person: Person, status: string): Promise<string> =>
  (await person.client.post('/api/v1/statuses', { status })).body.id
const deed = (person: Person, id: string, name: string) => person.client.post(`/api/v1/statuses/${id}/${name}`)
const read = async (person: Person, query = ''): Promise<GroupedNotificationsResults> => {
  const { status, body } = await person.client.get(`${PATH}?${query}`)
  assert.equal(status, 200)
  assertOnWire('GroupedNotificationsResults', body)
  return body
}
const keys = (groups: readonly NotificationGroup[]) => groups.map(({ group_key: key }) => key)

/** Writes many notifications at once: `kind` by each of the people, about a status or nothing, under a key. */
async function write(
  person: Person,
  {
    kind,
    key,
    from,
    statusId = null,
  }: { kind: string; key: string | null; from: readonly string[]; statusId?: string | null },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into notifications (account_id, from_account_id, type, status_id, group_key)
    select ${person.accountId}, sender, ${kind}, ${statusId}::bigint, ${key} from unnest(${from}::bigint[]) sender
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

test('favourites and boosts of one post and follows are one group each, and mentions are alone', async () => {
  const [alice, ...fans] = (await people(11)) as [Person, ...Person[]]
  const mine = await post(alice, 'mine')
  for (const fan of fans) {
    await deed(fan, mine, 'favourite')
    await world.settle()
  }
  await deed(fans[0]!, mine, 'reblog')
  await fans[0]!.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  await fans[1]!.client.post(`/api/v1/accounts/${alice.accountId}/follow`)
  const said = await post(fans[2]!, `@${alice.username} hi`)
  await world.settle()
  const { notification_groups: groups, accounts, statuses, ...rest } = await read(alice)
  assert.deepEqual(rest, {})
  assert.deepEqual(groups.map(({ type, notifications_count: count }) => `${type} ${count}`).toSorted(), [
    'favourite 10',
    'follow 2',
    'mention 1',
    'reblog 1',
  ])
  const favourites = groups.find(({ type }) => type === 'favourite')!
  assert.match(favourites.group_key, new RegExp(`^favourite-${mine}-\\d+$`))
  assert.match(groups.find(({ type }) => type === 'mention')!.group_key, /^ungrouped-\d+$/)
  assert.deepEqual(
    favourites.sample_account_ids,
    fans
      .map(({ accountId }) => accountId)
      .toReversed()
      .slice(0, 8),
  )
  assert.equal(favourites.status_id, mine)
  assert.equal(String(favourites.most_recent_notification_id), favourites.page_max_id)
  assert.deepEqual(statuses.map(({ id }) => id).toSorted(), [mine, said].toSorted())
  assert.equal(new Set(accounts.map(({ id }) => id)).size, accounts.length)
  for (const id of groups.flatMap((group) => group.sample_account_ids)) assert.ok(accounts.some((one) => one.id === id))

  const alone = await alice.client.get(`${PATH}/${favourites.group_key}`)
  assertOnWire('GroupedNotificationsResults', alone.body)
  assert.deepEqual(keys(alone.body.notification_groups), [favourites.group_key])
  assert.equal(alone.body.notification_groups[0].page_max_id, undefined)
  const faces = await alice.client.get(`${PATH}/${favourites.group_key}/accounts?limit=4`)
  assert.deepEqual(
    faces.body.map((one: { id: string }) => one.id),
    favourites.sample_account_ids.slice(0, 4),
  )
  const partial = await read(alice, 'expand_accounts=partial_avatars&types[]=favourite')
  assert.deepEqual([partial.accounts.length, partial.partial_accounts!.length], [1, 7])
  assert.equal((await alice.client.get(`${PATH}?expand_accounts=some`)).status, 400)
  const onlyBoosts = await read(alice, 'grouped_types[]=reblog&types[]=favourite')
  assert.equal(onlyBoosts.notification_groups.length, 10)
  assert.ok(keys(onlyBoosts.notification_groups).every((key) => key.startsWith('ungrouped-')))
})

test('what comes within twelve hours of the first joins its group, and later another begins', async () => {
  const [alice, ...fans] = (await people(4)) as [Person, ...Person[]]
  const mine = await post(alice, 'mine')
  const favourite = async (fan: Person) => {
    await deed(fan, mine, 'favourite')
    await world.settle()
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

test('a group is taken away whole, one alone by itself, and nobody meets the groups of others', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  const mine = await post(alice, 'mine')
  await deed(bob, mine, 'favourite')
  await deed(carol, mine, 'favourite')
  await post(bob, `@${alice.username} hi`)
  await world.settle()
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

test('pages of groups can be walked both ways, and each group is on one page', async () => {
  const [alice, ...fans] = (await people(6)) as [Person, ...Person[]]
  const from = fans.map(({ accountId }) => accountId)
  // Groups that are woven into each other, so that each has some of its notifications behind every page.
  const posts = await Promise.all(['one', 'two', 'three', 'four'].map((text) => post(alice, text)))
  for (const sender of from) {
    for (const statusId of posts)
      await write(alice, { kind: 'favourite', key: `favourite-${statusId}-1`, from: [sender], statusId })
    await write(alice, { kind: 'follow_request', key: null, from: [sender] })
  }
  const all = (await read(alice)).notification_groups
  assert.equal(all.length, 9)
  const newest = all.map((group) => group.most_recent_notification_id)
  assert.deepEqual(
    newest,
    newest.toSorted((a, b) => b - a),
  )
  const walk = async (start: string, rel: string) => {
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
  assert.deepEqual((await walk(`${PATH}?limit=2`, 'next')).flat(), keys(all))
  assert.deepEqual((await walk(`${PATH}?limit=2&min_id=1`, 'prev')).toReversed().flat(), keys(all))
  const since = await read(alice, `since_id=${newest[3]}`)
  assert.deepEqual(keys(since.notification_groups), keys(all).slice(0, 3))
  assert.deepEqual((await read(alice, 'limit=0')).notification_groups, [])
  assert.deepEqual((await read(alice, 'types[]=nonsense')).notification_groups, [])
  assert.deepEqual((await read(alice, 'account_id=x')).notification_groups, [])
  assert.equal((await read(alice, `account_id=${from[0]}`)).notification_groups.length, 5)
})

test('when who caused the newest of a group is suspended, the group is shown without them', async () => {
  const [alice, bob, carol] = (await people(3)) as [Person, Person, Person]
  const mine = await post(alice, 'mine')
  const [older, newer] = [bob, carol]
  for (const { accountId } of [older, newer]) {
    await write(alice, { kind: 'favourite', key: 'favourite-1-1', from: [accountId], statusId: mine })
  }
  await sql`update accounts set suspended_at = now() where id = ${newer.accountId}`.execute(db)
  const { notification_groups: groups } = await read(alice)
  assert.deepEqual(
    groups.map((group) => group.sample_account_ids),
    [[older.accountId]],
  )
})

test('what has not been read is counted above the marker, alone and in groups, up to a limit', async () => {
  const [alice, ...fans] = (await people(5)) as [Person, ...Person[]]
  const mine = await post(alice, 'mine')
  const from = fans.map(({ accountId }) => accountId)
  const ids = await write(alice, { kind: 'favourite', key: 'favourite-1-1', from, statusId: mine })
  await write(alice, { kind: 'follow_request', key: null, from })
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

test('a page has 40 unless more are asked for, and 80 at most; 100 are counted, and 1000 at most', async () => {
  const alice = await world.createPerson()
  const { rows } = await sql<{ id: string }>`
    insert into accounts (username, domain, uri, url, inbox_url, actor_type)
    select 'crowd' || n, 'far.test', 'https://far.test/' || n, '', '', 'Person' from generate_series(1, 1001) n
    returning id`.execute(db)
  await sql`insert into account_stats (account_id) select id from accounts on conflict do nothing`.execute(db)
  await write(alice, { kind: 'follow_request', key: null, from: rows.map(({ id }) => id) })
  for (const [version, lengthOf] of [
    ['v1', (body: unknown[]) => body.length],
    ['v2', (body: GroupedNotificationsResults) => body.notification_groups.length],
  ] as const) {
    const ask = async (path: string) => (await alice.client.get(`/api/${version}/notifications${path}`)).body
    const lengths = await Promise.all(['', '?limit=0', '?limit=50', '?limit=-50', '?limit=1000'].map(ask))
    assert.deepEqual(lengths.map(lengthOf), [40, 0, 50, 50, 80], version)
    const counts = await Promise.all(['', '?limit=7', '?limit=9999'].map((query) => ask(`/unread_count${query}`)))
    assert.deepEqual(counts, [{ count: 100 }, { count: 7 }, { count: 1_000 }], version)
  }
})

test('all are taken away at once', async () => {
  const [alice, bob] = (await people(2)) as [Person, Person]
  await write(alice, { kind: 'follow_request', key: null, from: [bob.accountId] })
  assert.deepEqual((await alice.client.post(`${PATH}/clear`)).body, {})
  assert.deepEqual((await read(alice)).notification_groups, [])
})

test('a page of groups costs the same number of queries however long it is', async () => {
  const [alice, ...fans] = (await people(6)) as [Person, ...Person[]]
  const from = fans.map(({ accountId }) => accountId)
  for (let n = 0; n < 5; n += 1) {
    const statusId = await post(alice, `post ${n}`)
    await write(alice, { kind: 'favourite', key: `favourite-${statusId}-1`, from, statusId })
  }
  await world.settle()
  // The first use of a token is noted, and the second one finds that.
  for (let n = 0; n < 2; n += 1) await read(alice)
  const short = await countQueries(() => read(alice, 'limit=1'))
  const long = await countQueries(() => read(alice, 'limit=5'))
  assert.equal(long, short)
  assert.ok(long <= 6, String(long))
})

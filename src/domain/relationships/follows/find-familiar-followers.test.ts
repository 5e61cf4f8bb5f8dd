import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../../test/performance/count-queries.ts'
import { assertEntity } from '../../../../test/http/entities/entity-schemas.ts'
import { suspend } from '../../../../test/features/moderation.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { CachedRead } from '../../context.ts'
import { renderFamiliarFollowers } from '../../../render/accounts/render-familiar-followers.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

const PATH = '/api/v1/accounts/familiar_followers'
const act = (from: TestUser, action: string, to: TestUser) =>
  from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)

/** Returns the response to the viewer: each account id with the ids of its familiar followers. */
async function familiar(viewer: TestUser, ids: readonly string[]): Promise<[string, string[]][]> {
  const { status, body } = await viewer.client.get(PATH, { id: ids })
  assert.equal(status, 200)
  for (const one of body) assertEntity('FamiliarFollowers', one)
  return body.map((one: { id: string; accounts: { id: string }[] }) => [one.id, one.accounts.map(({ id }) => id)])
}

async function createCircle() {
  const [viewer, star, other, friend, pal, unrelated] = await Promise.all(
    Array.from({ length: 6 }, () => testServer.createUser()),
  )
  await act(viewer!, 'follow', friend!)
  await act(viewer!, 'follow', pal!)
  for (const fan of [friend!, pal!, unrelated!, viewer!]) await act(fan, 'follow', star!)
  await act(pal!, 'follow', other!)
  return { viewer: viewer!, star: star!, other: other!, friend: friend!, pal: pal!, unrelated: unrelated! }
}

test('lists for each requested account, in order, the followers that the viewer follows', async () => {
  const { viewer, star, other, friend, pal, unrelated } = await createCircle()
  const ids = [other, star, unrelated].map(({ accountId }) => accountId)
  assert.deepEqual(await familiar(viewer, [...ids, ids[0]!, '999999999', 'x']), [
    [other.accountId, [pal.accountId]],
    [star.accountId, [pal.accountId, friend.accountId]],
    [unrelated.accountId, []],
  ])
  assert.deepEqual(await familiar(viewer, []), [])
  const single = await viewer.client.get(`${PATH}?id=${star.accountId}`)
  assert.equal(single.body.length, 1)
  const locked = await testServer.createUser({ locked: true })
  await act(friend, 'follow', locked)
  assert.deepEqual(await familiar(viewer, [locked.accountId]), [[locked.accountId, []]])
})

test('VI12 an account with hidden collections shows no familiar followers, and is not one of others', async () => {
  const { viewer, star, other, friend, pal } = await createCircle()
  const hide = (user: TestUser) => user.client.patch('/api/v1/accounts/update_credentials', { hide_collections: true })
  await hide(pal)
  assert.deepEqual(await familiar(viewer, [star.accountId, other.accountId]), [
    [star.accountId, [friend.accountId]],
    [other.accountId, []],
  ])
  await hide(star)
  assert.deepEqual(await familiar(viewer, [star.accountId]), [[star.accountId, []]])
  // Users always see the familiar followers of their own account.
  await hide(viewer)
  await act(friend, 'follow', viewer)
  assert.deepEqual(await familiar(viewer, [viewer.accountId]), [[viewer.accountId, [friend.accountId]]])
  const remote = await sql<{ id: string }>`
    with created as (
      insert into accounts (username, domain, uri, url, hide_collections)
      values ('hidden', 'far.test', 'https://far.test/hidden', 'https://far.test/@hidden', true) returning id
    ), stats as (insert into account_stats (account_id) select id from created),
    new_follow as (insert into follows (account_id, target_account_id) select ${friend.accountId}, id from created)
    select id from created`.execute(testServer.ctx.db)
  const { id } = remote.rows[0]!
  assert.deepEqual(await familiar(viewer, [id]), [[id, []]])
})

test('accounts that block the viewer show no familiar followers, and suspended or unconfirmed accounts are left out', async () => {
  const { viewer, star, friend, pal } = await createCircle()
  await suspend(testServer.ctx, pal)
  assert.deepEqual(await familiar(viewer, [star.accountId]), [[star.accountId, [friend.accountId]]])
  assert.deepEqual(await familiar(viewer, [pal.accountId]), [])
  const gated = await testServer.createUser({ confirmed: false })
  assert.deepEqual(await familiar(viewer, [gated.accountId]), [])
  await act(star, 'block', viewer)
  assert.deepEqual(await familiar(viewer, [star.accountId]), [[star.accountId, []]])
})

async function renderAll(read: CachedRead, query: Parameters<typeof renderFamiliarFollowers>[1]): Promise<string[]> {
  return Array.fromAsync(renderFamiliarFollowers(read, query))
}

test('the number of statements for ten accounts or fewer does not depend on their number', async () => {
  const { viewer, star, other, friend, pal, unrelated } = await createCircle()
  const count = (accounts: TestUser[]) =>
    countQueries(async () => {
      const ids = accounts.map(({ accountId }) => accountId)
      await testServer.ctx.read(renderAll, { ids, viewerId: viewer.accountId })
    })
  const all = [star, other, friend, pal, unrelated]
  await count(all)
  // Without accounts, the only statement is the check for invalidations.
  assert.deepEqual([await count([]), await count([star]), await count(all)], [1, 3, 3])
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../test/count-queries.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import { renderFamiliarFollowers } from '../../render/accounts/render-familiar-followers.ts'
import { findFamiliarFollowers } from './familiar-followers.ts'

const world = await openWorld({ effects: false })
after(world.close)

const PATH = '/api/v1/accounts/familiar_followers'
const act = (from: Person, action: string, to: Person) => from.client.post(`/api/v1/accounts/${to.accountId}/${action}`)

/** What the viewer gets: an id and the ids of its familiar followers, in the order of the answer. */
async function familiar(viewer: Person, ids: readonly string[]): Promise<[string, string[]][]> {
  const { status, body } = await viewer.client.get(PATH, { id: ids })
  assert.equal(status, 200)
  for (const one of body) assertOnWire('FamiliarFollowers', one)
  return body.map((one: { id: string; accounts: { id: string }[] }) => [one.id, one.accounts.map(({ id }) => id)])
}

async function createCircle() {
  const [viewer, star, other, friend, pal, stranger] = await Promise.all(
    Array.from({ length: 6 }, () => world.createPerson()),
  )
  await act(viewer!, 'follow', friend!)
  await act(viewer!, 'follow', pal!)
  for (const fan of [friend!, pal!, stranger!, viewer!]) await act(fan, 'follow', star!)
  await act(pal!, 'follow', other!)
  return { viewer: viewer!, star: star!, other: other!, friend: friend!, pal: pal!, stranger: stranger! }
}

test('of each account, those followers are named whom the viewer follows, in the order of the ids', async () => {
  const { viewer, star, other, friend, pal, stranger } = await createCircle()
  const ids = [other, star, stranger].map(({ accountId }) => accountId)
  assert.deepEqual(await familiar(viewer, [...ids, ids[0]!, '999999999', 'x']), [
    [other.accountId, [pal.accountId]],
    [star.accountId, [pal.accountId, friend.accountId]],
    [stranger.accountId, []],
  ])
  assert.deepEqual(await familiar(viewer, []), [])
  const single = await viewer.client.get(`${PATH}?id=${star.accountId}`)
  assert.equal(single.body.length, 1)
  const ofLocked = await world.createPerson({ locked: true })
  await act(friend, 'follow', ofLocked)
  assert.deepEqual(await familiar(viewer, [ofLocked.accountId]), [[ofLocked.accountId, []]])
})

test('VI12 who hides their network shows no familiar followers, and is not shown among those of others', async () => {
  const { viewer, star, other, friend, pal } = await createCircle()
  const hide = (person: Person) =>
    person.client.patch('/api/v1/accounts/update_credentials', { hide_collections: true })
  await hide(pal)
  assert.deepEqual(await familiar(viewer, [star.accountId, other.accountId]), [
    [star.accountId, [friend.accountId]],
    [other.accountId, []],
  ])
  await hide(star)
  assert.deepEqual(await familiar(viewer, [star.accountId]), [[star.accountId, []]])
  // To themselves nobody hides anything of their own.
  await hide(viewer)
  await act(friend, 'follow', viewer)
  assert.deepEqual(await familiar(viewer, [viewer.accountId]), [[viewer.accountId, [friend.accountId]]])
  const remote = await sql<{ id: string }>`
    with made as (
      insert into accounts (username, domain, uri, url, hide_collections)
      values ('hidden', 'far.test', 'https://far.test/hidden', 'https://far.test/@hidden', true) returning id
    ), stats as (insert into account_stats (account_id) select id from made),
    tie as (insert into follows (account_id, target_account_id) select ${friend.accountId}, id from made)
    select id from made`.execute(world.ctx.db)
  const { id } = remote.rows[0]!
  assert.deepEqual(await familiar(viewer, [id]), [[id, []]])
})

test('nobody learns of followers of who blocks them, and neither side may be suspended or unconfirmed', async () => {
  const { viewer, star, friend, pal } = await createCircle()
  await sql`update accounts set suspended_at = now() where id = ${pal.accountId}`.execute(world.ctx.db)
  assert.deepEqual(await familiar(viewer, [star.accountId]), [[star.accountId, [friend.accountId]]])
  assert.deepEqual(await familiar(viewer, [pal.accountId]), [])
  const gated = await world.createPerson({ confirmed: false })
  assert.deepEqual(await familiar(viewer, [gated.accountId]), [])
  await act(star, 'block', viewer)
  assert.deepEqual(await familiar(viewer, [star.accountId]), [[star.accountId, []]])
})

test('any number of accounts costs the same few statements', async () => {
  const { viewer, star, other, friend, pal, stranger } = await createCircle()
  const count = (people: Person[]) =>
    countQueries(async () => {
      const ids = people.map(({ accountId }) => accountId)
      const found = await findFamiliarFollowers(world.ctx, { ids, viewerId: viewer.accountId })
      await world.ctx.read(renderFamiliarFollowers, { familiar: found })
    })
  const all = [star, other, friend, pal, stranger]
  await count(all)
  // Without accounts, only the check for invalidations.
  assert.deepEqual([await count([]), await count([star]), await count(all)], [1, 3, 3])
})

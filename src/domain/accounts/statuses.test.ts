import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { countQueries } from '../../../test/count-queries.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const world = await openWorld()
after(world.close)
const { db } = world.ctx

const post = async (person: Person, body: object): Promise<string> =>
  (await person.client.post('/api/v1/statuses', body)).body.id
const boost = async (person: Person, id: string): Promise<string> =>
  (await person.client.post(`/api/v1/statuses/${id}/reblog`)).body.id
const pathOf = (person: Person) => `/api/v1/accounts/${person.accountId}/statuses`

async function read(client: Person['client'], author: Person, query: Record<string, unknown> = {}): Promise<string[]> {
  const { status, body } = await client.get(pathOf(author), query)
  assert.equal(status, 200)
  return body.map(({ id }: { id: string }) => id)
}

test('a profile shows each viewer what they may see', async () => {
  const [author, follower, mentioned] = [
    await world.createPerson(),
    await world.createPerson(),
    await world.createPerson(),
  ]
  await follower.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  const open = await post(author, { status: 'a' })
  const unlisted = await post(author, { status: 'b', visibility: 'unlisted' })
  const closed = await post(author, { status: 'c', visibility: 'private' })
  const direct = await post(author, { status: `@${mentioned.username} d`, visibility: 'direct' })
  const here = await post(author, { status: 'e', local_only: true })
  assert.deepEqual(await read(world.anonymous, author), [unlisted, open])
  assert.deepEqual(await read(follower.client, author), [here, closed, unlisted, open])
  assert.deepEqual(await read(mentioned.client, author), [here, direct, unlisted, open])
  assert.deepEqual(await read(mentioned.client, author, { exclude_direct: true }), [here, unlisted, open])
  assert.deepEqual(await read(author.client, author), [here, direct, closed, unlisted, open])
})

test('replies to others, boosts, posts without pictures and posts without a tag can be left out', async () => {
  const [author, other] = [await world.createPerson(), await world.createPerson()]
  const theirs = await post(other, { status: 'hello' })
  const root = await post(author, { status: 'root #Café' })
  const thread = await post(author, { status: 'more', in_reply_to_id: root })
  const reply = await post(author, { status: 'to you', in_reply_to_id: theirs })
  const boosted = await boost(author, theirs)
  const { rows } = await sql<{ id: string }>`
    insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
    values (${author.accountId}, 'image', 'media/a.png', 'media/b.png', 'image/png', 1, '{}') returning id`.execute(db)
  const picture = await post(author, { status: 'see #cafe', media_ids: [rows[0]!.id] })
  const all = [picture, boosted, reply, thread, root]
  assert.deepEqual(await read(other.client, author), all)
  assert.deepEqual(
    await read(other.client, author, { exclude_replies: true }),
    all.filter((id) => id !== reply),
  )
  assert.deepEqual(
    await read(other.client, author, { exclude_reblogs: '1' }),
    all.filter((id) => id !== boosted),
  )
  assert.deepEqual(await read(other.client, author, { only_media: true }), [picture])
  for (const tagged of ['cafe', 'CAFÉ', '#café']) {
    assert.deepEqual(await read(other.client, author, { tagged }), [picture, root])
  }
  for (const tagged of ['nothing', '%', '123', '---', 'x'.repeat(300)]) {
    assert.deepEqual(await read(other.client, author, { tagged }), [])
  }
  assert.deepEqual(await read(other.client, author, { pinned: true }), [])
  assert.deepEqual(await read(other.client, author, { pinned: false, tagged: '' }), all)
})

test('an answer to what was deleted is still an answer', async () => {
  const [author, other] = [await world.createPerson(), await world.createPerson()]
  const theirs = await post(other, { status: 'hello' })
  await post(author, { status: 'to you', in_reply_to_id: theirs })
  await other.client.delete(`/api/v1/statuses/${theirs}`)
  assert.deepEqual(await read(other.client, author, { exclude_replies: true }), [])
})

test('VI14 whom the author blocks sees nothing of the profile’s posts, boosts and followers', async () => {
  const [author, friend, shunned] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const own = await post(author, { status: 'own' })
  await boost(author, await post(friend, { status: 'of a friend' }))
  const passedOn = await boost(friend, own)
  await friend.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  assert.equal((await read(shunned.client, author)).length, 2)
  await author.client.post(`/api/v1/accounts/${shunned.accountId}/block`)
  assert.deepEqual(await read(shunned.client, author), [])
  assert.deepEqual((await shunned.client.get(`/api/v1/accounts/${author.accountId}/followers`)).body, [])
  assert.deepEqual((await shunned.client.get(`/api/v1/accounts/${author.accountId}/following`)).body, [])
  // Where others pass it on, it is not there either.
  assert.ok(!(await read(shunned.client, friend)).includes(passedOn))
  assert.ok((await read(author.client, friend)).includes(passedOn))
  assert.ok(!(await shunned.client.get(`/api/v1/accounts/${friend.accountId}/following`)).body.length)
})

test('boosts of somebody whom the viewer blocks are not shown', async () => {
  const [author, annoying, viewer] = [
    await world.createPerson(),
    await world.createPerson(),
    await world.createPerson(),
  ]
  await boost(author, await post(annoying, { status: 'noise' }))
  assert.equal((await read(viewer.client, author)).length, 1)
  await viewer.client.post(`/api/v1/accounts/${annoying.accountId}/block`)
  assert.deepEqual(await read(viewer.client, author), [])
})

test('a profile can be walked both ways, its links keep what was asked, and its last page says so', async () => {
  const author = await world.createPerson()
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) ids.unshift(await post(author, { status: `number ${n}` }))
  const first = await world.anonymous.get(`${pathOf(author)}?limit=2&exclude_replies=true&junk=1`)
  const [next, prev] = ['next', 'prev'].map(
    (rel) => new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(first.headers.link))?.[1],
  )
  assert.equal(next, `https://linnet.test${pathOf(author)}?limit=2&exclude_replies=true&max_id=${ids[1]}`)
  assert.equal(prev, `https://linnet.test${pathOf(author)}?limit=2&exclude_replies=true&min_id=${ids[0]}`)
  assert.deepEqual(await read(world.anonymous, author, { limit: 2, max_id: ids[1] }), ids.slice(2, 4))
  assert.deepEqual(await read(world.anonymous, author, { limit: 2, min_id: ids[4] }), ids.slice(2, 4))
  const last = await world.anonymous.get(`${pathOf(author)}?limit=2&max_id=${ids[3]}`)
  assert.equal(last.body.length, 1)
  assert.ok(!String(last.headers.link).includes('rel="next"'))
  for (const query of [
    'limit=-2',
    'limit=0',
    'limit=1e9',
    'limit[]=',
    'max_id=x',
    'min_id=1&max_id=2',
    'only_media[]=1',
  ]) {
    assert.equal((await world.anonymous.get(`${pathOf(author)}?${query}`)).status, 200)
  }
})

test('behind six thousand posts that a viewer may not see stand those that they may, a few statements away', async () => {
  const author = await world.createPerson()
  const oldest = await post(author, { status: 'for all' })
  await sql`
    insert into statuses (account_id, uri, url, content, visibility, local)
    select ${author.accountId}, 'https://linnet.test/hidden/' || n, '', '<p>hidden</p>', 'private', true
    from generate_series(1, 6000) n`.execute(db)
  const newest = await post(author, { status: 'for all again' })
  await world.settle()
  assert.deepEqual(await read(world.anonymous, author, { max_id: newest, limit: 1 }), [oldest])
  assert.deepEqual(await read(world.anonymous, author, { min_id: oldest, limit: 1 }), [newest])
  const count = await countQueries(async () => {
    assert.deepEqual(await read(world.anonymous, author), [newest, oldest])
  })
  assert.ok(count <= 12, `${count}`)
  assert.equal((await read(author.client, author, { limit: 40 })).length, 40)
})

test('a page costs the same number of queries, however long it is', async () => {
  const author = await world.createPerson()
  for (let n = 0; n < 12; n += 1) await post(author, { status: `number ${n}` })
  await world.settle()
  const short = await countQueries(() => read(author.client, author, { limit: 1 }))
  const long = await countQueries(() => read(author.client, author, { limit: 12 }))
  assert.ok(long <= short + 1, `${short} and ${long}`)
})

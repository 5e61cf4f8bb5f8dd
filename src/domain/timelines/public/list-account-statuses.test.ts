import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { countQueries } from '../../../../test/performance/count-queries.ts'
import { countReadRows } from '../../../../test/performance/count-read-rows.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { openRead } from '../../open-read.ts'
import { listAccountStatuses } from './list-account-statuses.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx

const post = async (user: TestUser, body: object): Promise<string> =>
  (await user.client.post('/api/v1/statuses', body)).body.id
const reblog = async (user: TestUser, id: string): Promise<string> =>
  (await user.client.post(`/api/v1/statuses/${id}/reblog`)).body.id
const pathOf = (user: TestUser) => `/api/v1/accounts/${user.accountId}/statuses`

async function read(
  client: TestUser['client'],
  author: TestUser,
  query: Record<string, unknown> = {},
): Promise<string[]> {
  const { status, body } = await client.get(pathOf(author), query)
  assert.equal(status, 200)
  return body.map(({ id }: { id: string }) => id)
}

test('a profile shows each viewer the statuses that are visible to the viewer', async () => {
  const [author, follower, mentioned] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  await follower.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  const publicId = await post(author, { status: 'a' })
  const unlisted = await post(author, { status: 'b', visibility: 'unlisted' })
  const privateId = await post(author, { status: 'c', visibility: 'private' })
  const direct = await post(author, { status: `@${mentioned.username} d`, visibility: 'direct' })
  const localOnly = await post(author, { status: 'e', local_only: true })
  assert.deepEqual(await read(testServer.anonymous, author), [unlisted, publicId])
  assert.deepEqual(await read(follower.client, author), [localOnly, privateId, unlisted, publicId])
  assert.deepEqual(await read(mentioned.client, author), [localOnly, direct, unlisted, publicId])
  assert.deepEqual(await read(mentioned.client, author, { exclude_direct: true }), [localOnly, unlisted, publicId])
  assert.deepEqual(await read(author.client, author), [localOnly, direct, privateId, unlisted, publicId])
})

test('query parameters leave out replies to others, reblogs, statuses without media and statuses without a hashtag', async () => {
  const [author, other] = [await testServer.createUser(), await testServer.createUser()]
  const otherStatusId = await post(other, { status: 'hello' })
  const root = await post(author, { status: 'root #Café' })
  const thread = await post(author, { status: 'more', in_reply_to_id: root })
  const reply = await post(author, { status: 'to you', in_reply_to_id: otherStatusId })
  const reblogged = await reblog(author, otherStatusId)
  const { rows } = await sql<{ id: string }>`
    insert into media_attachments (account_id, type, file_key, preview_key, content_type, byte_size, meta)
    values (${author.accountId}, 'image', 'media/a.png', 'media/b.png', 'image/png', 1, '{}') returning id`.execute(db)
  const picture = await post(author, { status: 'see #cafe', media_ids: [rows[0]!.id] })
  const all = [picture, reblogged, reply, thread, root]
  assert.deepEqual(await read(other.client, author), all)
  assert.deepEqual(
    await read(other.client, author, { exclude_replies: true }),
    all.filter((id) => id !== reply),
  )
  assert.deepEqual(
    await read(other.client, author, { exclude_reblogs: '1' }),
    all.filter((id) => id !== reblogged),
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

test('the media of an account with thousands of statuses are found by one statement', async () => {
  const author = await testServer.createUser()
  const insert = async (count: number) => {
    const { rows } = await sql<{ id: string }>`
      insert into statuses (account_id, uri, url, content, visibility)
      select ${author.accountId}::bigint, 'https://linnet.test/s/' || gen_random_uuid(), '', '', 'public'
      from generate_series(1, ${count}::int) n returning id`.execute(db)
    return rows.map(({ id }) => id)
  }
  const attach = async (statusId: string, withdrawnAt: Date | null) =>
    sql`insert into media_attachments (account_id, status_id, type, file_key, preview_key, content_type, byte_size, meta,
        detached_at, withdrawn_at)
      values (${author.accountId}, ${statusId}, 'image', 'media/a.png', 'media/b.png', 'image/png', 1, '{}', null,
        ${withdrawnAt})`.execute(db)
  const [album, edited, removed] = (await insert(3)) as [string, string, string]
  for (let n = 0; n < 3; n += 1) await attach(album, null)
  await attach(edited, new Date())
  await attach(edited, null)
  await attach(removed, new Date())
  const count = () => countQueries(() => read(testServer.anonymous, author, { only_media: true }))
  await count()
  const before = await count()
  await insert(12_000)
  assert.deepEqual(await read(testServer.anonymous, author, { only_media: true }), [edited, album])
  assert.equal(await count(), before)
  assert.deepEqual(await read(author.client, author, { only_media: true, limit: 1, max_id: edited }), [album])
  assert.deepEqual(await read(author.client, author, { only_media: true, limit: 1, min_id: album }), [edited])
})

test('a page of statuses with a hashtag reads either those of the author or those with the hashtag, whichever are rarer', async () => {
  const [author, other] = [await testServer.createUser(), await testServer.createUser()]
  const [rare, frequent] = [
    await post(author, { status: 'a #rare and #frequent one' }),
    await post(other, { status: '#frequent' }),
  ]
  const insert = async (accountId: string, tag: string | null) =>
    sql`with inserted as (
        insert into statuses (account_id, uri, url, content, visibility)
        select ${accountId}::bigint, 'https://linnet.test/s/' || gen_random_uuid(), '', '', 'public'
        from generate_series(1, 6000) n returning id
      )
      insert into status_tags (status_id, tag_id) select i.id, t.id from inserted i, tags t where t.name = ${tag}`.execute(
      db,
    )
  await insert(author.accountId, null)
  await insert(other.accountId, 'frequent')
  // As on a real server, there are many hashtags; otherwise PostgreSQL would not choose the index by hashtag.
  await sql`with created as (
      insert into tags (name, display_name) select 'topic' || n, 'topic' || n from generate_series(1, 50) n returning id
    )
    insert into status_tags (status_id, tag_id)
    select s.id, c.id from (select id from statuses order by id limit 50) s, created c`.execute(db)
  await sql`analyze statuses, status_tags`.execute(db)
  const readTagged = async (user: TestUser, { tagged, table }: { tagged: string; table: string }) => {
    let ids: string[] = []
    const rows = await testServer.ctx.write(async (tx) =>
      countReadRows(tx, {
        table,
        work: async () => {
          const read = await openRead({ db: tx.db, config: tx.config })
          ids = await listAccountStatuses(read, {
            accountId: user.accountId,
            viewerId: null,
            page: { limit: 20 },
            tagged,
          })
        },
      }),
    )
    return { ids, rows }
  }
  const ofProlific = await readTagged(author, { tagged: 'rare', table: 'statuses' })
  assert.deepEqual(ofProlific.ids, [rare])
  assert.ok(ofProlific.rows < 2_500, `prolific: ${ofProlific.rows} rows`)
  const third = await testServer.createUser()
  const single = await post(third, { status: '#frequent' })
  await insert(other.accountId, 'frequent')
  const ofTerse = await readTagged(third, { tagged: 'frequent', table: 'status_tags' })
  assert.deepEqual(ofTerse.ids, [single])
  assert.ok(ofTerse.rows < 2_500, `terse: ${ofTerse.rows} rows`)
  assert.ok(!(await read(other.client, author, { tagged: 'frequent' })).includes(frequent))
})

test('a reply to a deleted status is still a reply', async () => {
  const [author, other] = [await testServer.createUser(), await testServer.createUser()]
  const otherStatusId = await post(other, { status: 'hello' })
  await post(author, { status: 'to you', in_reply_to_id: otherStatusId })
  await other.client.delete(`/api/v1/statuses/${otherStatusId}`)
  assert.deepEqual(await read(other.client, author, { exclude_replies: true }), [])
})

test('VI14 a blocked viewer sees none of the author’s statuses, reblogs and followers', async () => {
  const [author, friend, blocked] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const own = await post(author, { status: 'own' })
  await reblog(author, await post(friend, { status: 'of a friend' }))
  const reblogByFriend = await reblog(friend, own)
  await friend.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  assert.equal((await read(blocked.client, author)).length, 2)
  await author.client.post(`/api/v1/accounts/${blocked.accountId}/block`)
  assert.deepEqual(await read(blocked.client, author), [])
  assert.deepEqual((await blocked.client.get(`/api/v1/accounts/${author.accountId}/followers`)).body, [])
  assert.deepEqual((await blocked.client.get(`/api/v1/accounts/${author.accountId}/following`)).body, [])
  // Reblogs by others are hidden, too.
  assert.ok(!(await read(blocked.client, friend)).includes(reblogByFriend))
  assert.ok((await read(author.client, friend)).includes(reblogByFriend))
  assert.ok(!(await blocked.client.get(`/api/v1/accounts/${friend.accountId}/following`)).body.length)
})

test('reblogs of an account that the viewer blocks or mutes, or whose domain the viewer blocks, are only shown to their author', async () => {
  const [author, annoying, viewer] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const remoteId = await createRemoteAccount(testServer.ctx, { handle: { username: 'far', domain: 'noisy.test' } })
  const fromRemote = await reblog(author, await createRemoteStatus(testServer.ctx, { accountId: remoteId }))
  const fromLocal = await reblog(author, await post(annoying, { status: 'noise' }))
  const act = (user: TestUser, action: string) => user.client.post(`/api/v1/accounts/${annoying.accountId}/${action}`)
  for (const action of ['block', 'mute']) {
    assert.deepEqual(await read(viewer.client, author), [fromLocal, fromRemote])
    await act(viewer, action)
    assert.deepEqual(await read(viewer.client, author), [fromRemote], action)
    await act(viewer, `un${action}`)
  }
  await viewer.client.post('/api/v1/domain_blocks', { domain: 'noisy.test' })
  assert.deepEqual(await read(viewer.client, author), [fromLocal])
  await act(author, 'block')
  assert.deepEqual(await read(author.client, author), [fromLocal, fromRemote])
})

test('a profile has pages in both directions, the links retain the parameters, and the last page has no next link', async () => {
  const author = await testServer.createUser()
  const ids: string[] = []
  for (let n = 0; n < 5; n += 1) ids.unshift(await post(author, { status: `number ${n}` }))
  const first = await testServer.anonymous.get(`${pathOf(author)}?limit=2&exclude_replies=true&junk=1`)
  const [next, prev] = ['next', 'prev'].map(
    (rel) => new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(first.headers.link))?.[1],
  )
  assert.equal(next, `https://linnet.test${pathOf(author)}?limit=2&exclude_replies=true&max_id=${ids[1]}`)
  assert.equal(prev, `https://linnet.test${pathOf(author)}?limit=2&exclude_replies=true&min_id=${ids[0]}`)
  assert.deepEqual(await read(testServer.anonymous, author, { limit: 2, max_id: ids[1] }), ids.slice(2, 4))
  assert.deepEqual(await read(testServer.anonymous, author, { limit: 2, min_id: ids[4] }), ids.slice(2, 4))
  const last = await testServer.anonymous.get(`${pathOf(author)}?limit=2&max_id=${ids[3]}`)
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
    assert.equal((await testServer.anonymous.get(`${pathOf(author)}?${query}`)).status, 200)
  }
})

test('visible statuses behind six thousand hidden ones are found with a few statements', async () => {
  const author = await testServer.createUser()
  const oldest = await post(author, { status: 'for all' })
  await sql`
    insert into statuses (account_id, uri, url, content, visibility, local)
    select ${author.accountId}, 'https://linnet.test/hidden/' || n, '', '<p>hidden</p>', 'private', true
    from generate_series(1, 6000) n`.execute(db)
  const newest = await post(author, { status: 'for all again' })
  await testServer.waitForJobs()
  assert.deepEqual(await read(testServer.anonymous, author, { max_id: newest, limit: 1 }), [oldest])
  assert.deepEqual(await read(testServer.anonymous, author, { min_id: oldest, limit: 1 }), [newest])
  const count = await countQueries(async () => {
    assert.deepEqual(await read(testServer.anonymous, author), [newest, oldest])
  })
  assert.ok(count <= 12, `${count}`)
  assert.equal((await read(author.client, author, { limit: 40 })).length, 40)
})

test('the number of statements does not depend on the length of a page', async () => {
  const author = await testServer.createUser()
  for (let n = 0; n < 12; n += 1) await post(author, { status: `number ${n}` })
  await testServer.waitForJobs()
  const short = await countQueries(() => read(author.client, author, { limit: 1 }))
  const long = await countQueries(() => read(author.client, author, { limit: 12 }))
  assert.ok(long <= short + 1, `${short} and ${long}`)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount, createRemoteStatus } from '../../../../test/federation/remote-records.ts'
import { countReadRows } from '../../../../test/performance/count-read-rows.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { markLocalHashtags } from '../../tags/mark-local-hashtags.ts'
import { readTagTimeline } from './read-tag-timeline.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { db } = testServer.ctx

test('the media of a hashtag are each status with media once, and the other statuses are not read', async () => {
  const author = await testServer.createUser()
  const remoteAccountId = await createRemoteAccount(testServer.ctx)
  await sql`insert into tags (name, display_name) values ('rain', 'rain'), ('sun', 'sun')`.execute(db)
  const insert = async (accountId: string, { count = 1, local = true, tags = ['rain'] } = {}): Promise<string> => {
    const { rows } = await sql<{ id: string }>`
      with inserted as (
        insert into statuses (account_id, local, uri, url, content, visibility)
        select ${accountId}::bigint, ${local}, 'https://linnet.test/s/' || gen_random_uuid(), '', '', 'public'
        from generate_series(1, ${count}::int) n returning id
      ), tagged as (
        insert into status_tags (tag_id, status_id) select t.id, s.id from tags t, inserted s where t.name = any(${tags})
      )
      select id from inserted`.execute(db)
    return rows[0]!.id
  }
  const attach = async (statusId: string, { withdrawn = false, remoteUrl = null as string | null } = {}) =>
    sql`insert into media_attachments (account_id, status_id, type, remote_url, content_type, byte_size, meta,
        detached_at, withdrawn_at)
      select account_id, id, 'image', ${remoteUrl}, 'image/png', 1, '{}', null, ${withdrawn ? new Date() : null}
      from statuses where id = ${statusId}`.execute(db)

  const album = await insert(author.accountId)
  const remotePicture = await insert(remoteAccountId, { local: false })
  const edited = await insert(author.accountId, { tags: ['rain', 'sun'] })
  const removed = await insert(author.accountId)
  const other = await insert(author.accountId, { tags: ['sun'] })
  for (let n = 0; n < 3; n += 1) await attach(album)
  await attach(remotePicture, { remoteUrl: 'https://remote.test/a.png' })
  await attach(edited, { withdrawn: true })
  await attach(edited)
  await attach(removed, { withdrawn: true })
  await attach(other)
  await insert(author.accountId, { count: 500 })

  const read = (query: string) => testServer.anonymous.get(`/api/v1/timelines/tag/rain?only_media=true${query}`)
  for (const [query, expected] of [
    ['', [edited, remotePicture, album]],
    ['&local=true', [edited, album]],
    ['&remote=true', [remotePicture]],
    ['&any[]=sun', [other, edited, remotePicture, album]],
    ['&all[]=sun', [edited]],
    ['&none[]=sun', [remotePicture, album]],
    [`&limit=1&max_id=${edited}`, [remotePicture]],
    [`&limit=1&min_id=${album}`, [remotePicture]],
  ] as const) {
    const { body } = await read(query)
    assert.deepEqual(
      body.map(({ id }: { id: string }) => id),
      expected,
      query,
    )
  }
  const rows = await testServer.ctx.write((tx) =>
    countReadRows(tx, {
      table: 'statuses',
      work: async () => {
        const input = { viewerId: null, name: 'rain', page: { limit: 20 }, onlyMedia: true }
        assert.equal((await readTagTimeline(tx, input)).length, 3)
      },
    }),
  )
  assert.ok(rows < 20, `${rows} rows`)
})

test('a local timeline of a hashtag does not read remote statuses, and a remote one no local statuses', async () => {
  const author = await testServer.createUser()
  const remoteAccountId = await createRemoteAccount(testServer.ctx)
  const post = async (text: string): Promise<string> =>
    (await author.client.post('/api/v1/statuses', { status: text })).body.id
  const record = (tag: string) =>
    createRemoteStatus(testServer.ctx, { accountId: remoteAccountId, hashtags: new Map([[tag, tag]]) })
  const edit = async (id: string, text: string) => author.client.put(`/api/v1/statuses/${id}`, { status: text })
  const posted = await post('#crowd #niche')
  const edited = await post('no hashtag yet')
  await edit(edited, '#crowd')
  const remote = await record('niche')
  const { rows: others } = await sql<{ id: string }>`
    with inserted as (
      insert into statuses (account_id, local, uri, url, content, visibility)
      select case when n % 2 = 0 then ${remoteAccountId}::bigint else ${author.accountId}::bigint end, n % 2 = 1,
        'https://linnet.test/s/' || gen_random_uuid(), '', '', 'public'
      from generate_series(1, 2000) n returning id, local
    )
    insert into status_tags (tag_id, status_id) select t.id, i.id
    from inserted i join tags t on t.name = case when i.local then 'niche' else 'crowd' end returning status_id as id`.execute(
    db,
  )
  assert.equal(others.length, 2000)
  await sql`insert into settings (name, value) values ('hashtags:unmarked', '"9223372036854775807"')`.execute(db)
  const readIds = async (name: string, query: object) =>
    (await testServer.anonymous.get(`/api/v1/timelines/tag/${name}`, { ...query })).body.map(
      ({ id }: { id: string }) => id,
    )
  const assertTimelines = async () => {
    assert.deepEqual(await readIds('crowd', { local: true }), [edited, posted])
    assert.deepEqual(await readIds('niche', { remote: true }), [remote])
    assert.equal((await readIds('niche', { local: true, limit: 40 })).length, 40)
  }
  await assertTimelines()
  await markLocalHashtags(testServer.ctx)
  await assertTimelines()

  for (const [name, origin, ids] of [
    ['crowd', 'local', [edited, posted]],
    ['niche', 'remote', [remote]],
  ] as const) {
    const rows = await testServer.ctx.write((tx) =>
      countReadRows(tx, {
        table: 'statuses',
        work: async () =>
          assert.deepEqual(await readTagTimeline(tx, { viewerId: null, name, origin, page: { limit: 20 } }), ids),
      }),
    )
    assert.ok(rows < 20, `${rows} rows`)
  }
  await markLocalHashtags(testServer.ctx)
  const { rows: left } = await sql`select from settings where name = 'hashtags:unmarked'`.execute(db)
  assert.equal(left.length, 0)
})

test('a timeline of several required hashtags reads the statuses of the rarest one', async () => {
  const author = await testServer.createUser()
  const post = async (text: string): Promise<string> =>
    (await author.client.post('/api/v1/statuses', { status: text })).body.id
  const [both, three] = [await post('#usual #seldom'), await post('#usual #seldom #third')]
  await post('#seldom')
  await post('#third')
  await sql`
    with inserted as (
      insert into statuses (account_id, uri, url, content, visibility)
      select ${author.accountId}::bigint, 'https://linnet.test/s/' || gen_random_uuid(), '', '', 'public'
      from generate_series(1, 6000) n returning id
    )
    insert into status_tags (tag_id, status_id) select t.id, i.id from inserted i join tags t on t.name = 'usual'`.execute(
    db,
  )
  await sql`analyze status_tags`.execute(db)
  for (const [input, expected] of [
    [{ name: 'usual', all: ['seldom'] }, [three, both]],
    [{ name: 'seldom', all: ['usual'] }, [three, both]],
    [{ name: 'usual', all: ['seldom', 'third'] }, [three]],
    [{ name: 'usual', all: ['seldom'], none: ['third'] }, [both]],
    [{ name: 'usual', any: ['third'], all: ['seldom'] }, [three, both]],
    [{ name: 'usual', all: ['unknown'] }, []],
    [{ name: '---', all: ['seldom'] }, []],
  ] as const) {
    let ids: string[] = []
    const rows = await testServer.ctx.write((tx) =>
      countReadRows(tx, {
        table: 'status_tags',
        work: async () => (ids = await readTagTimeline(tx, { viewerId: null, page: { limit: 20 }, ...input })),
      }),
    )
    assert.deepEqual(ids, expected, JSON.stringify(input))
    assert.ok(rows < 2_500, `${JSON.stringify(input)}: ${rows} rows`)
  }
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount } from '../../../../test/federation/remote-records.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
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
  const fetched = await testServer.ctx.write(async (tx) => {
    // Includes what the session has read before, until it reports that.
    const countReadRows = async () => {
      const { rows } = await tx.db.query(`select pg_stat_get_xact_tuples_fetched('statuses'::regclass)::int as n`, [])
      return (rows[0] as { n: number }).n
    }
    const before = await countReadRows()
    const input = { viewerId: null, name: 'rain', page: { limit: 20 }, onlyMedia: true }
    assert.equal((await readTagTimeline(tx, input)).length, 3)
    return (await countReadRows()) - before
  })
  assert.ok(fetched < 20, `${fetched} rows`)
})

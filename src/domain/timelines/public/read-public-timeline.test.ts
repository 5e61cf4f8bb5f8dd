import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRemoteAccount } from '../../../../test/federation/remote-records.ts'
import { countQueries } from '../../../../test/performance/count-queries.ts'
import { countReadRows } from '../../../../test/performance/count-read-rows.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import { readPublicTimeline } from './read-public-timeline.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { db } = testServer.ctx

test('a public timeline of media has each status with media once, also if hardly any status has media', async () => {
  const [author, muted] = [await testServer.createUser(), await testServer.createUser()]
  const viewer = await testServer.createUser()
  const remoteAccountId = await createRemoteAccount(testServer.ctx)
  const insert = async (accountId: string, { count = 1, local = true, visibility = 'public' } = {}) => {
    const { rows } = await sql<{ id: string }>`
      insert into statuses (account_id, local, uri, url, content, visibility)
      select ${accountId}::bigint, ${local}, 'https://linnet.test/s/' || gen_random_uuid(), '', '', ${visibility}
      from generate_series(1, ${count}::int) n returning id`.execute(db)
    return rows[0]!.id
  }
  const attach = async (statusId: string, { withdrawn = false, remoteUrl = null as string | null } = {}) =>
    sql`insert into media_attachments (account_id, status_id, type, remote_url, content_type, byte_size, meta,
        detached_at, withdrawn_at)
      select account_id, id, 'image', ${remoteUrl}, 'image/png', 1, '{}', null, ${withdrawn ? new Date() : null}
      from statuses where id = ${statusId}`.execute(db)
  const read = async (client: TestUser['client'], query: Record<string, unknown> = {}): Promise<string[]> => {
    const { body } = await client.get('/api/v1/timelines/public', { only_media: true, ...query })
    return body.map(({ id }: { id: string }) => id)
  }

  const album = await insert(author.accountId)
  const edited = await insert(author.accountId)
  const remotePicture = await insert(remoteAccountId, { local: false })
  const mutedPicture = await insert(muted.accountId)
  const unlisted = await insert(author.accountId, { visibility: 'unlisted' })
  const removed = await insert(author.accountId)
  for (let n = 0; n < 3; n += 1) await attach(album)
  await attach(edited, { withdrawn: true })
  await attach(edited)
  await attach(remotePicture, { remoteUrl: 'https://remote.test/a.png' })
  await attach(mutedPicture)
  await attach(unlisted)
  await attach(removed, { withdrawn: true })
  await viewer.client.post(`/api/v1/accounts/${muted.accountId}/mute`)
  const count = () => countQueries(() => read(testServer.anonymous))
  await count()
  const before = await count()
  await insert(author.accountId, { count: 12_000 })

  assert.deepEqual(await read(testServer.anonymous), [mutedPicture, remotePicture, edited, album])
  assert.equal(await count(), before)
  assert.deepEqual(await read(viewer.client), [remotePicture, edited, album])
  assert.deepEqual(await read(testServer.anonymous, { local: true }), [mutedPicture, edited, album])
  assert.deepEqual(await read(testServer.anonymous, { remote: true }), [remotePicture])
  assert.deepEqual(await read(testServer.anonymous, { limit: 1, max_id: edited }), [album])
  assert.deepEqual(await read(testServer.anonymous, { limit: 1, min_id: album }), [edited])

  // The media of 500 further local statuses.
  await sql`insert into media_attachments (account_id, status_id, type, content_type, byte_size, meta, detached_at)
    select account_id, id, 'image', 'image/png', 1, '{}', null from statuses
    where local and id > ${removed} order by id limit 500`.execute(db)
  const rows = await testServer.ctx.write((tx) =>
    countReadRows(tx, {
      table: 'media_attachments',
      work: async () => {
        const input = { viewerId: null, page: { limit: 20 }, origin: 'remote', onlyMedia: true } as const
        assert.deepEqual(await readPublicTimeline(tx, input), [remotePicture])
      },
    }),
  )
  assert.ok(rows < 50, `${rows} rows`)
})

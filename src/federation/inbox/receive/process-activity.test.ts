import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createSigningRemoteAccount } from '../../../../test/federation/remote-account.ts'
import { captureQueries } from '../../../../test/performance/count-queries.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { PUBLIC } from '../../wire/context.ts'
import { processActivity } from './process-activity.ts'
import { storeActivity } from './store-activity.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { ctx } = testServer

const follower = await testServer.createUser()
const authors = await Promise.all(
  ['ann', 'ben', 'cleo'].map(async (username) => {
    const author = await createSigningRemoteAccount(testServer, { username, refreshed_at: new Date() })
    await sql`insert into follows (account_id, target_account_id) values (${follower.accountId}, ${author.accountId})`.execute(
      ctx.db,
    )
    return author
  }),
)

let written = 0

/** Stores the Create of a note by one of the authors. Returns the ids of the stored activity and of the note. */
async function receiveNote(fields: Record<string, unknown> = {}): Promise<{ activityId: string; uri: string }> {
  written += 1
  const actor = authors[written % authors.length]!.uri
  const audience = { to: [PUBLIC], cc: [`${actor}/followers`] }
  const uri = typeof fields['id'] === 'string' ? fields['id'] : `${actor}/statuses/${written}`
  const note = {
    id: uri,
    type: 'Note',
    attributedTo: actor,
    content: `<p>number ${written}</p>`,
    ...audience,
    ...fields,
  }
  const deduplicationKey = `${actor}/activities/${written}`
  const activity = { id: deduplicationKey, type: 'Create', actor, ...audience, object: note }
  const body = JSON.stringify(activity)
  await storeActivity(ctx, { reachableHost: null, actorUri: actor, deduplicationKey, inboxAccountId: null, body })
  const { rows } = await sql<{ id: string }>`select max(id) as id from received_activities`.execute(ctx.db)
  return { activityId: rows[0]!.id, uri }
}

async function receiveNotes(count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) ids.push((await receiveNote()).activityId)
  return ids
}

const processAll = async (ids: readonly string[]) =>
  Promise.allSettled(ids.map(async (activityId) => processActivity(ctx, { activityId })))

async function findRecorded(uris: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ uri: string }>`select uri from statuses where uri = any(${uris}) order by id`.execute(
    ctx.db,
  )
  return rows.map(({ uri }) => uri).toSorted()
}

suite('activities that are processed concurrently', () => {
  test('share statements: thirty notes take as many as one', async () => {
    await processAll(await receiveNotes(2))
    const [one, many] = [await receiveNotes(1), await receiveNotes(30)]
    const forOne = await captureQueries(() => processAll(one))
    const forMany = await captureQueries(() => processAll(many))
    assert.equal(forMany.length, forOne.length)
    assert.ok(forOne.length <= 11, forOne.join('\n'))
  })

  test('are recorded although one of them is refused or rejected by the database', async () => {
    const before = await receiveNote()
    await processAll([before.activityId])
    // Each of these has another author.
    const refused = await receiveNote({ id: before.uri })
    await sql`alter table statuses add constraint rejects_text check (content <> '<p>rejected</p>')`.execute(ctx.db)
    const rejected = await receiveNote({ content: '<p>rejected</p>' })
    const accepted = [await receiveNote(), await receiveNote()]
    const all = [accepted[0]!, refused, rejected, accepted[1]!]
    const results = await processAll(all.map(({ activityId }) => activityId))
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    )
    const uris = accepted.map(({ uri }) => uri)
    assert.deepEqual(await findRecorded([...uris, rejected.uri]), uris.toSorted())
    const { rows } = await sql<{ id: string }>`select id from received_activities where processed_at is null`.execute(
      ctx.db,
    )
    assert.deepEqual(rows, [{ id: rejected.activityId }])
  })

  test('may reply to each other and repeat each other', async () => {
    const parent = await receiveNote()
    const [reply, repetition] = [await receiveNote({ inReplyTo: parent.uri }), await receiveNote()]
    await sql`update received_activities set body = (select body from received_activities where id = ${parent.activityId}),
      actor_uri = (select actor_uri from received_activities where id = ${parent.activityId}) where id = ${repetition.activityId}`.execute(
      ctx.db,
    )
    await processAll([reply.activityId, parent.activityId, repetition.activityId])
    const { rows } = await sql<{ uri: string; parent: string | null; replies: number | null }>`
      select s.uri, p.uri as parent, c.replies_count as replies from statuses s left join statuses p on p.id = s.in_reply_to_id
        left join status_stats c on c.status_id = s.id
      where s.uri in (${parent.uri}, ${reply.uri}) order by s.uri`.execute(ctx.db)
    const expected = [
      { uri: parent.uri, parent: null, replies: 1 },
      { uri: reply.uri, parent: parent.uri, replies: null },
    ]
    assert.deepEqual(
      rows,
      expected.toSorted((one, other) => (one.uri < other.uri ? -1 : 1)),
    )
  })
})

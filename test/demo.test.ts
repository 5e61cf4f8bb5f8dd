import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { fillWorld } from '../bin/demo-world/fill-world.ts'
import { createClock } from '../bin/demo-world/turn-back.ts'
import { verifyPassword } from '../src/domain/auth/passwords.ts'
import { openWorld } from './world.ts'

const clock = createClock(new Date())
const world = await openWorld({ now: clock.now, env: { DB_POOL: '4', WORKER_CONCURRENCY: '2' } })
after(world.close)

test('the demonstration has posts of every kind, spread over days, and people who can log in', async () => {
  const { db } = world.ctx
  const before = await sql`select pg_get_functiondef('next_status_id'::regproc)`.execute(db)
  const logins = await fillWorld(world.ctx, { clock, onProgress: () => {} })

  const { rows } = await sql<Record<string, boolean>>`
    select count(distinct a.id) >= 25 as "many people",
      count(*) filter (where s.reblog_of_id is null) >= 200 as "a few hundred posts",
      count(distinct date_trunc('day', s.created_at)) >= 10 as "over days",
      max(s.created_at) <= now() as "none from the future",
      bool_and(s.created_at = to_timestamp((s.id >> 16) / 1000.0)) as "ids that fit",
      bool_or(s.visibility = 'direct') as direct,
      bool_or(s.visibility = 'private') as "for followers",
      bool_or(s.visibility = 'unlisted') as unlisted,
      bool_or(s.local_only) as "local only",
      bool_or(s.spoiler_text <> '') as warnings,
      bool_or(s.sensitive and exists (
        select from media_attachments m where m.status_id = s.id and m.description is not null)) as "sensitive pictures",
      bool_or((select count(*) from media_attachments m where m.status_id = s.id) = 4) as "four pictures",
      bool_or(s.reblog_of_id is not null) as boosts,
      bool_or(s.edited_at is not null) as edits,
      bool_or(exists (select from statuses p where p.id = s.in_reply_to_id and p.account_id = s.account_id
        and p.in_reply_to_id is not null)) as threads,
      bool_or(s.language = 'ar') as "from right to left",
      bool_or(length(s.text) > 450) as "long ones",
      bool_or(exists (select from status_tags t where t.status_id = s.id)) as hashtags,
      bool_or(s.text like '%https://%') as links
    from statuses s join accounts a on a.id = s.account_id`.execute(db)
  assert.deepEqual(
    Object.entries(rows[0]!).filter(([, there]) => !there),
    [],
  )
  const kinds = await sql<{ type: string }>`select distinct type from notifications order by type`.execute(db)
  const types = kinds.rows.map((row) => row.type)
  for (const type of ['favourite', 'follow', 'follow_request', 'mention', 'reblog'])
    assert.ok(types.includes(type), type)
  const waiting = await sql`select from follow_requests`.execute(db)
  assert.ok(waiting.rows.length > 0)

  assert.deepEqual(
    logins.map(({ role }) => role),
    ['owner', 'user'],
  )
  for (const { email, password } of logins) {
    const user = await db
      .selectFrom('users')
      .select('password_hash')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    assert.ok(await verifyPassword(user.password_hash, password))
  }
  // Time runs as ever again.
  const afterwards = await sql`select pg_get_functiondef('next_status_id'::regproc)`.execute(db)
  assert.deepEqual(afterwards.rows, before.rows)
  const { body } = await world.anonymous.get('/api/v1/timelines/public', { limit: 40 })
  assert.equal(body.length, 40)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { urlOf } from '../../test/linnet.ts'
import { runCommand } from '../../test/run-command.ts'
import { openWorld } from '../../test/world.ts'
import type { Connection } from '../platform/db/connect.ts'

const world = await openWorld()
after(world.close)

test('the index of posts is made anew, and tells how far it is', async () => {
  const { ctx } = world
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(ctx.db)
  const server = JSON.parse(process.env.TEST_POSTGRES!) as Connection
  const env = { DATA_DIR: ctx.config.dataDir, DATABASE_URL: urlOf({ ...server, database: rows[0]!.name }) }
  const person = await world.createPerson()
  for (const status of ['one', 'two']) await person.client.post('/api/v1/statuses', { status })
  await world.settle()
  await sql`delete from status_words`.execute(ctx.db)
  const whole = await runCommand(['search'], env)
  assert.deepEqual([whole.code, whole.stdout], [0, 'The search index is complete\n'])
  await sql`insert into settings (name, value) values ('search:backlog', '"9223372036854775807"')`.execute(ctx.db)
  const begun = await runCommand(['search'], env)
  assert.equal(begun.stdout, '0 of 2 posts and boosts are indexed (0 %)\n')
  const done = await runCommand(['search', 'rebuild'], env)
  assert.deepEqual([done.code, done.stdout], [0, 'Indexed 2 posts and boosts\n'])
  const { body } = await person.client.get('/api/v2/search', { q: 'one', type: 'statuses' })
  assert.equal(body.statuses.length, 1)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { urlOf } from '../../../test/servers/linnet-process.ts'
import { runCommand } from '../../../test/run-command.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { serverConnection } from '../../../test/services/database/test-database.ts'

const testServer = await openTestServer()
after(testServer.close)

test('the search index is rebuilt, and its progress is shown', async () => {
  const { ctx } = testServer
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(ctx.db)
  const server = await serverConnection()
  const env = { DATA_DIR: ctx.config.dataDir, DATABASE_URL: urlOf({ ...server, database: rows[0]!.name }) }
  const user = await testServer.createUser()
  for (const status of ['one', 'two']) await user.client.post('/api/v1/statuses', { status })
  await testServer.waitForJobs()
  await sql`delete from status_search_entries`.execute(ctx.db)
  const whole = await runCommand(['search'], env)
  assert.deepEqual([whole.code, whole.stdout], [0, 'The search index is complete\n'])
  await sql`insert into settings (name, value) values ('search:backlog', '"9223372036854775807"')`.execute(ctx.db)
  const begun = await runCommand(['search'], env)
  assert.equal(begun.stdout, '0 of 2 posts and boosts are indexed (0 %)\n')
  const done = await runCommand(['search', 'rebuild'], env)
  assert.deepEqual([done.code, done.stdout], [0, 'Indexed 2 posts and boosts\n'])
  const { body } = await user.client.get('/api/v2/search', { q: 'one', type: 'statuses' })
  assert.equal(body.statuses.length, 1)
})

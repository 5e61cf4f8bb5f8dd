import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openCommandLine } from '../../test/command-line.ts'
import type { CommandLine } from '../../test/command-line.ts'
import { openTestServer } from '../../test/servers/test-server.ts'
import { enqueueJobs } from '../platform/jobs/job-queue.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { db } = testServer.ctx
let linnet: CommandLine

before(async () => {
  linnet = await openCommandLine(testServer)
  await testServer.createUser({ username: 'ann', role: 'owner' })
  await db.insertInto('hosts').values({ domain: 'far.test', consecutive_failures: 2 }).execute()
  await enqueueJobs(db, [
    { name: 'sendMail', payload: { mailId: '1' }, maxAttempts: 1, queue: 'network' },
    { name: 'sendMail', payload: { mailId: '2' }, maxAttempts: 1, queue: 'network' },
  ])
  await db.updateTable('jobs').set({ attempts: 1 }).where('name', '=', 'sendMail').execute()
})

/** Returns the entries that a command has added, without their times and ids. */
async function entriesOf(...args: string[]): Promise<string[]> {
  const newest = await db.selectFrom('audit_log_entries').select('id').orderBy('id', 'desc').executeTakeFirst()
  assert.equal((await linnet.run(...args)).code, 0, args.join(' '))
  const entries = await db
    .selectFrom('audit_log_entries')
    .selectAll()
    .where('id', '>', newest?.id ?? '0')
    .orderBy('id')
    .execute()
  return entries.map((entry) => {
    assert.equal(entry.account_id, null)
    return [entry.action, entry.target_type, entry.label, JSON.stringify(entry.details)].join(' ')
  })
}

test('commands that change accounts, roles and data add entries to the audit log, without an account', async () => {
  const jobs = await db.selectFrom('jobs').select('id').where('name', '=', 'sendMail').orderBy('id').execute()
  const changes: [command: string, entry: string][] = [
    ['accounts create bo --email bo@mail.test --role owner', 'create account bo {"role":"Owner","role_id":"3"}'],
    ['accounts modify bo --role admin', 'change_role account bo {"role":"Admin","role_id":"2"}'],
    ['accounts role bo moderator', 'change_role account bo {"role":"Moderator","role_id":"1"}'],
    ['tokens create Ann --scopes read', 'create_token account ann {"scopes":["read"]}'],
    ['feeds build ann', 'rebuild_feeds account ann {}'],
    ['feeds build', 'rebuild_feeds account local accounts {}'],
    ['feeds clear', 'clear_feeds account local accounts {}'],
    ['search rebuild', 'rebuild search_index search index {}'],
    ['retention run', 'run retention_policy retention policy {}'],
    [
      'media remove --days 3',
      'purge media_cache media cache {"days":3,"profiles":false,"by_domain":null,"keep_interacted":false}',
    ],
    ['media remove-orphans', 'delete media_cache unreferenced files {}'],
    [`jobs retry ${jobs[0]!.id}`, `retry job ${jobs[0]!.id} {"count":1}`],
    ['jobs retry --all-dead', 'retry job all {"count":1}'],
    ['deliveries retry far.test', 'retry host far.test {"deliveries":0}'],
    ['deliveries retry --all', 'retry host all {"deliveries":0}'],
    ['deliveries reset far.test', 'reset host far.test {}'],
  ]
  for (const [command, entry] of changes) assert.deepEqual(await entriesOf(...command.split(' ')), [entry], command)
})

test('commands that change nothing add no entries', async () => {
  for (const command of [
    'feeds clear --dry-run',
    'retention run --dry-run',
    'media remove --dry-run',
    'media remove-orphans --dry-run',
    'search',
    'jobs',
  ])
    assert.deepEqual(await entriesOf(...command.split(' ')), [], command)
})

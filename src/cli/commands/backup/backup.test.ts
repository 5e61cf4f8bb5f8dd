// Slow: fills every table.
import assert from 'node:assert/strict'
import {
  appendFile,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { openCommandLine } from '../../../../test/command-line.ts'
import { runCommand } from '../../../../test/run-command.ts'
import { startLinnet, urlOf } from '../../../../test/servers/linnet-process.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import { createEmptyDatabase } from '../../../../test/services/database/test-database.ts'
import { noSmallDisk, withSmallDisk } from '../../../../test/services/small-disk.ts'
import { dumpDatabase } from '../../../../test/upgrade/dump.ts'
import { openFilledServer } from '../../../../test/upgrade/fill-every-table.ts'
import { recordServerAddress } from '../../../domain/instance/server-address.ts'
import type { Connection } from '../../../platform/db/connection.ts'
import { readManifest } from '../../../platform/db/backup/manifest.ts'
import type { Manifest } from '../../../platform/db/backup/manifest.ts'

const { testServer } = await openFilledServer()
after(testServer.close)
const root = await mkdtemp(join(tmpdir(), 'linnet-backup-'))
after(() => rm(root, { recursive: true, force: true }))
const { dataDir } = testServer.ctx.config
await mkdir(join(dataDir, 'media/cache'), { recursive: true })
await mkdir(join(dataDir, 'media/ab'), { recursive: true })
await writeFile(join(dataDir, 'media/ab/photo.webp'), 'a photo')
await writeFile(join(dataDir, 'media/cache/remote.webp'), 'a cached photo')
// A part of the media is on another disk.
await mkdir(join(root, 'disk/ef'), { recursive: true })
await writeFile(join(root, 'disk/ef/video.mp4'), 'a video')
await symlink(join(root, 'disk'), join(dataDir, 'media/cd'))
await symlink(join(root, 'disk/ef/video.mp4'), join(dataDir, 'media/ab/video.mp4'))
await symlink('nowhere', join(dataDir, 'media/ab/nowhere'))
await symlink('itself', join(dataDir, 'media/ab/itself'))
await testServer.ctx.write(recordServerAddress)
// Otherwise jobs would become due between the backup and the comparison of its rows with those of the server.
const postponeJobs = () =>
  sql`update jobs set run_at = run_at + interval '1 day' where run_at > now()`.execute(testServer.ctx.db)
await postponeJobs()
await testServer.waitForJobs()
await postponeJobs()
const linnet = await openCommandLine(testServer)
const backup = join(root, 'backup')
const result = await linnet.json<Record<string, unknown>>('backup', backup)
const manifest = JSON.parse(await readFile(join(backup, 'manifest.json'), 'utf8')) as Manifest

/** Returns an empty database and data folder, and how to run commands with them. */
async function openEmptyMachine(t: TestContext, more: Record<string, string> = {}) {
  const database = await createEmptyDatabase()
  const folder = await mkdtemp(join(root, 'data-'))
  t.after(() => database.drop())
  const env = { DATABASE_URL: urlOf(database.connection), DATA_DIR: folder, LOCAL_DOMAIN: 'linnet.test', ...more }
  return { folder, database, run: (...args: string[]) => runCommand(args, env) }
}

/** Returns a copy of the backup. */
async function copyBackup(): Promise<string> {
  const folder = await mkdtemp(join(root, 'copy-'))
  await cp(backup, folder, { recursive: true })
  return folder
}

/** Returns the rows of all tables that a backup contains, and the values of the sequences. */
async function readDatabase(connection: Connection) {
  const client = new pg.Client(connection)
  await client.connect()
  const { tables, sequences } = await dumpDatabase(client, '')
  await client.end()
  const { invalidations: _, invalidation_horizon: __, ...rest } = tables
  return { tables: rest, sequences }
}

test('F24 a backup of a running server, restored on an empty machine, has all rows, sequences, secrets and media', async (t) => {
  const expected = await readDatabase(testServer.connection)
  const { folder, database, run } = await openEmptyMachine(t)
  // Root restores for a server of another user.
  if (process.getuid?.() === 0) await chown(folder, 12_345, 12_346)
  const { uid } = await stat(folder)
  const { code, stdout, stderr } = await run('restore', backup)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Restored \d+ rows and 9 files of .*\nStart the server with LOCAL_DOMAIN=linnet\.test\n$/)
  const restored = await readDatabase(database.connection)
  // What waited to be sent.
  const jobs = expected.tables['jobs']!.filter((row) => !/"name": "send(Mail|Push)"/.test(row))
  for (const [table, rows] of Object.entries({ ...expected.tables, jobs }))
    assert.deepEqual(restored.tables[table], rows, table)
  assert.deepEqual(restored.sequences, expected.sequences)
  for (const path of ['secrets.json', 'media/ab/photo.webp', 'media/ab/video.mp4', 'media/cd/ef/video.mp4']) {
    assert.deepEqual(await readFile(join(folder, path)), await readFile(join(dataDir, path)))
    for (const part of [path, dirname(path)]) assert.equal((await stat(join(folder, part))).uid, uid, part)
  }
  assert.equal((await stat(join(folder, 'secrets.json'))).mode & 0o777, 0o600)
  await assert.rejects(stat(join(folder, 'media/cache')), { code: 'ENOENT' })

  const again = await run('restore', backup)
  assert.deepEqual([again.code, again.stdout], [1, ''])
  assert.match(again.stderr, /The database already contains accounts: restore into an empty database\n$/)
})

/** Returns all constraints and triggers of a database, and whether they are in force. */
async function readRules(connection: Connection) {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(
    `select conname as name, pg_get_constraintdef(oid) as definition, convalidated::text as state from pg_constraint
     where connamespace = 'public'::regnamespace and contype <> 'n'
     union all
     select tgname, pg_get_triggerdef(oid), tgenabled::text from pg_trigger where not tgisinternal
     order by 1, 2`,
  )
  await client.end()
  return rows
}

test('a restored server has the constraints and triggers of the first one, and serves requests', async (t) => {
  const { database, run } = await openEmptyMachine(t)
  assert.equal((await run('restore', backup)).code, 0)
  const rules = await readRules(testServer.connection)
  assert.ok(rules.length > 100)
  assert.deepEqual(await readRules(database.connection), rules)
  const { connection } = database
  const restored = await openTestServer({ database: { connection, drop: async () => {} } })
  t.after(restored.close)
  const user = await restored.createUser({ username: 'restored' })
  const { body: posted } = await user.client.post('/api/v1/statuses', { status: 'After the restore' })
  await restored.waitForJobs()
  const { body } = await user.client.get('/api/v1/timelines/home')
  assert.equal(body[0].id, posted.id)
})

test('mails and push notifications that waited at the time of the backup are not sent again', async (t) => {
  const { database, run } = await openEmptyMachine(t)
  const client = new pg.Client(testServer.connection)
  await client.connect()
  const insert = `insert into jobs (queue, name, payload, max_attempts, run_at) values ('default', $1, '{}', 8, now())`
  for (const name of ['sendMail', 'sendPush', 'endPoll']) await client.query(insert, [name])
  await client.end()
  const later = join(root, 'later')
  await linnet.json('backup', later)
  assert.equal((await run('restore', later)).code, 0)
  const { tables } = await readDatabase(database.connection)
  const names = tables['jobs']!.map((row) => (JSON.parse(row) as { name: string }).name)
  assert.ok(names.includes('endPoll'))
  assert.ok(!names.includes('sendMail') && !names.includes('sendPush'))
})

test('the manifest has counts and hashes; the result names them', async () => {
  const paths = manifest.files.map(({ path }) => path)
  assert.deepEqual(paths.slice(0, 2), ['secrets.json', 'media/ab/photo.webp'])
  assert.equal(manifest.localDomain, 'linnet.test')
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  assert.deepEqual([result['tables'], result['rows'], result['files']], [manifest.tables.length, rows, 9])
  assert.equal((await stat(backup)).mode & 0o777, 0o700)
  assert.match(await linnet.error('backup', backup), /is not an empty folder: name a new one for the backup$/)
})

for (const [name, damage, expected] of [
  [
    'a changed table',
    async (folder) => appendFile(join(folder, 'tables/accounts.copy.gz'), 'x'),
    /The backup is damaged: tables\/accounts\.copy\.gz /,
  ],
  [
    'a missing table',
    async (folder) => rm(join(folder, 'tables/users.copy.gz')),
    /The backup is incomplete: tables\/users\.copy\.gz is missing/,
  ],
  [
    'a changed file',
    async (folder) => appendFile(join(folder, 'media/ab/photo.webp'), 'x'),
    /The backup is damaged: media\/ab\/photo\.webp has changed since it was written/,
  ],
  ['no manifest', async (folder) => rm(join(folder, 'manifest.json')), /contains no complete backup/],
  ['a manifest that is no JSON', async (folder) => appendFile(join(folder, 'manifest.json'), '{'), /is damaged/],
  [
    'a file outside of the data folder',
    async (folder) => editManifest(folder, (one) => (one.files[0]!.path = 'media/../../escaped')),
    /media\/\.\.\/\.\.\/escaped is not a file of Linnet/,
  ],
  [
    'migrations of a newer version',
    async (folder) => editManifest(folder, (one) => one.migrations.push('9999-newer')),
    /The backup is from a newer version of Linnet/,
  ],
] as [string, (folder: string) => Promise<unknown>, RegExp][]) {
  test(`a backup with ${name} is refused in one line and leaves the database empty`, async (t) => {
    const folder = await copyBackup()
    await damage(folder)
    const { database, run } = await openEmptyMachine(t)
    const { code, stdout, stderr } = await run('restore', folder)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr.trimEnd().split('\n').at(-1)!, expected)
    if ((await database.countTables()) === 0) return
    const client = new pg.Client(database.connection)
    await client.connect()
    const { rows } = await client.query('select count(*)::integer as accounts from accounts')
    await client.end()
    assert.deepEqual(rows, [{ accounts: 0 }])
  })
}

async function editManifest(folder: string, edit: (manifest: Manifest) => unknown): Promise<void> {
  const path = join(folder, 'manifest.json')
  const edited = JSON.parse(await readFile(path, 'utf8')) as Manifest
  edit(edited)
  await writeFile(path, JSON.stringify(edited))
}

test('other secrets in the data folder are not overwritten', async (t) => {
  const { folder, run } = await openEmptyMachine(t)
  await writeFile(join(folder, 'secrets.json'), 'of another server')
  const { code, stderr } = await run('restore', backup)
  assert.equal(code, 1)
  assert.match(stderr, /secrets\.json exists and is not that of the backup: restore into an empty data folder\n$/)
  assert.equal(await readFile(join(folder, 'secrets.json'), 'utf8'), 'of another server')
})

test('while a server uses the database, a restore changes nothing', async (t) => {
  const { folder, database, run } = await openEmptyMachine(t)
  const running = await openTestServer({ database: { connection: database.connection, drop: async () => {} } })
  t.after(running.close)
  const { code, stdout, stderr } = await run('restore', backup)
  assert.deepEqual([code, stdout], [1, ''])
  assert.match(stderr, /^Another process of Linnet uses the database: stop the server first\n$/)
  assert.deepEqual(await readdir(folder), [])
})

test('a folder that cannot be that of a backup is refused in one line', async () => {
  const file = join(root, 'file')
  await writeFile(file, '')
  for (const [folder, expected] of [
    [file, /file is not an empty folder: name a new one for the backup$/],
    [join(file, 'below'), /below can't be created: /],
    ...(process.platform === 'linux' ? [['/proc/linnet/backup', /can't be created: /] as const] : []),
    [join(dataDir, 'media/backup'), /media\/backup is inside the data folder: name a folder outside of it$/],
    [dataDir, /is inside the data folder/],
  ] as const)
    assert.match(await linnet.error('backup', folder), expected)
})

test('a folder of media with a link to itself is refused in one line', async () => {
  const link = join(dataDir, 'media/again')
  await symlink(join(dataDir, 'media'), link)
  const { code, stderr } = await linnet.run('backup', join(root, 'endless'))
  await unlink(link)
  assert.equal(code, 1)
  assert.match(stderr.trimEnd().split('\n').at(-1)!, /^A symbolic link leads back to its own folder: \S+\/media\/again/)
})

test('of two backups that are written to a folder at once, one is complete and the other is refused', async () => {
  const folder = join(root, 'shared')
  const outcomes = await Promise.all([linnet.run('backup', folder), linnet.run('backup', folder)])
  const [complete, refused] = outcomes.toSorted((a, b) => a.code! - b.code!)
  assert.deepEqual([complete!.code, refused!.code], [0, 1])
  assert.match(refused!.stderr, /^\S+ is not an empty folder: name a new one for the backup\n$/)
  assert.equal((await readdir(join(folder, 'tables'))).length, (await readManifest(folder)).tables.length)
})

test('a backup that fails because the disk is full leaves an empty folder', { skip: noSmallDisk }, async () => {
  const disk = join(root, 'disk')
  const within = [...withSmallDisk(disk, 64), 'sh', '-c', '"$@"; code=$?; ls "$0"; ls "$0/full"; exit $code', disk]
  const env = { DATABASE_URL: urlOf(testServer.connection), DATA_DIR: dataDir }
  const { code, stdout, stderr } = await startLinnet(['backup', join(disk, 'full')], env, { within }).ended
  assert.deepEqual([code, stdout], [1, 'full\n'], stderr)
  assert.match(stderr, /\nThe disk is full: ENOSPC: [^\n]*\n$/)
})

test('a restore names what is missing if media are in a bucket before or afterwards', async (t) => {
  const bucket = { S3_ENABLED: 'true', S3_BUCKET: 'media', AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' }
  const remote = await openCommandLine(testServer, bucket)
  const folder = join(root, 'bucket')
  const [, hint] = await remote.run('backup', folder).then(({ stdout }) => stdout.split('\n'))
  assert.equal(hint, 'Media are in a bucket, which needs its own backup')
  const { run } = await openEmptyMachine(t)
  const { stdout } = await run('restore', folder)
  assert.match(stdout, /\nThe media of this server are in a bucket: set S3_ENABLED and its settings\n/)
  const machine = await openEmptyMachine(t, bucket)
  assert.match((await machine.run('restore', backup)).stdout, /\nMedia were restored to \S+\/media: copy them to the/)
})

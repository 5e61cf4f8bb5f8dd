// Slow: starts programs or databases.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import {
  copyUsedDataFolder,
  makeFolder,
  pidOfServer,
  query,
  silentLog,
  startForTest,
  startOtherProcess,
  cleanUpAfter,
} from '../../../../test/services/database/embedded-database.ts'
import { eventually } from '../../../../test/servers/linnet-process.ts'
import { joinRunningEmbeddedDatabase, openEmbeddedDatabase, startEmbeddedDatabase } from './embedded-database.ts'
import { isAlive } from './stop-orphaned-server.ts'

test('a second start finds the data of the first one; the settings are durable, small and portable', async (t) => {
  const dataDir = join(await makeFolder(t), 'data')
  const progress: string[] = []
  const first = await startEmbeddedDatabase({ dataDir, log: silentLog, onProgress: (text) => progress.push(text) })
  assert.equal(first.isOwner, true)
  assert.deepEqual(progress, ['Creating the database (first start only)'])
  await query(first, `create table notes (text text); insert into notes values ('kept')`)
  await first.stop()
  await first.stop()

  const second = await startForTest(t, dataDir)
  assert.deepEqual(await query(second, 'select text from notes'), [{ text: 'kept' }])
  const names = [
    'fsync',
    'synchronous_commit',
    'full_page_writes',
    'data_checksums',
    'jit',
    'shared_buffers',
    'listen_addresses',
  ]
  const settings = await query(second, `select ${names.map((name) => `current_setting('${name}') as ${name}`).join()}`)
  assert.deepEqual(Object.values(settings[0]!), ['on', 'on', 'on', 'on', 'off', '48MB', ''])
  const [facts] = await query(
    second,
    `select current_user, current_database(), pg_encoding_to_char(encoding) as encoding, datlocale, lower('ÄÉЖ')
     from pg_database where datname = current_database()`,
  )
  assert.deepEqual(Object.values(facts!), ['linnet', 'linnet', 'UTF8', 'C.UTF-8', 'äéж'])
  const viaUrl = new pg.Client(second.connectionString)
  await viaUrl.connect()
  await viaUrl.end()
  assert.equal((await stat(second.connection.host)).mode & 0o777, 0o700)
})

test('commits that were acknowledged before a kill -9 exist after the next start', async (t) => {
  const dataDir = await copyUsedDataFolder(await makeFolder(t))
  const other = startOtherProcess(
    t,
    dataDir,
    `const { connection } = await startEmbeddedDatabase(options)
     const client = new pg.Client(connection)
     await client.connect()
     await client.query('create table notes (n int)')
     for (let n = 1; ; n++) {
       await client.query('insert into notes values ($1)', [n])
       console.log(n)
     }`,
  )
  let acknowledged = 0
  while (acknowledged < 100) acknowledged = Number((await other.lines.next()).value)
  const server = await pidOfServer(dataDir)
  other.process.kill('SIGKILL')
  await once(other.process, 'exit')
  for (let line = await other.lines.next(); !line.done; line = await other.lines.next())
    acknowledged = Number(line.value)

  const database = await startForTest(t, dataDir)
  assert.notEqual(await pidOfServer(dataDir), server)
  const [row] = await query(database, 'select count(*)::int, max(n) from notes')
  assert.ok(row!.max === acknowledged || row!.max === acknowledged + 1)
  assert.equal(row!.count, row!.max)
})

test('a database that was killed together with Linnet recovers', async (t) => {
  const dataDir = await copyUsedDataFolder(await makeFolder(t))
  const other = startOtherProcess(
    t,
    dataDir,
    `const { connection } = await startEmbeddedDatabase(options)
     const client = new pg.Client(connection)
     await client.connect()
     await client.query('create table notes as select 1 as n')
     console.log('done')`,
  )
  await other.lines.next()
  process.kill(await pidOfServer(dataDir), 'SIGKILL')
  other.process.kill('SIGKILL')
  await once(other.process, 'exit')
  assert.deepEqual(await query(await startForTest(t, dataDir), 'select n from notes'), [{ n: 1 }])
})

test('a copy of the data folder of a running server starts, and the server keeps running', async (t) => {
  const folder = await makeFolder(t)
  const [dataDir, copy] = [await copyUsedDataFolder(join(folder, 'data')), join(folder, 'copy')]
  const original = await startForTest(t, dataDir)
  await query(original, 'create table notes as select 1 as n')
  await query(original, 'checkpoint')
  await promisify(execFile)('cp', ['-a', dataDir, copy])
  const copied = await startForTest(t, copy)
  assert.deepEqual(await query(copied, 'select n from notes'), [{ n: 1 }])
  assert.deepEqual(await query(original, 'select n from notes'), [{ n: 1 }])
})

test('a killed first start leaves nothing that the next start could mistake for a database', async (t) => {
  const dataDir = await makeFolder(t)
  const other = startOtherProcess(t, dataDir, 'await startEmbeddedDatabase(options)')
  const drafts = async () => (await readdir(join(dataDir, 'postgres'))).filter((name) => name.startsWith('cluster.'))
  await eventually(async () => assert.equal((await drafts()).length, 1))
  other.process.kill('SIGKILL')
  await once(other.process, 'exit')
  await query(await startForTest(t, dataDir), 'select')
})

test('a second server is rejected with the process id of the first one, which continues to run', async (t) => {
  const dataDir = await copyUsedDataFolder(await makeFolder(t))
  const database = await startForTest(t, dataDir)
  const other = startOtherProcess(
    t,
    dataDir,
    'await startEmbeddedDatabase(options).catch((err) => console.log(err.name, err.message))',
  )
  assert.match(
    (await other.lines.next()).value ?? '',
    new RegExp(
      `^EmbeddedDatabaseError The data folder ${dataDir} is in use by process ${process.pid} .*DATA_DIR.*DATABASE_URL`,
    ),
  )
  await query(database, 'select')
})

test('a database that exits unexpectedly is restarted with the same connection', async (t) => {
  const dataDir = await copyUsedDataFolder(await makeFolder(t))
  const database = await startForTest(t, dataDir)
  process.kill(await pidOfServer(dataDir), 'SIGKILL')
  await eventually(() => query(database, 'select'))
})

test('the database stops if Linnet exits without stopping it', async (t) => {
  const dataDir = await copyUsedDataFolder(await makeFolder(t))
  const other = startOtherProcess(
    t,
    dataDir,
    `await startEmbeddedDatabase(options); console.log('up'); process.stdin.once('end', () => process.exit())`,
  )
  await other.lines.next()
  const server = await pidOfServer(dataDir)
  other.process.stdin!.end()
  await eventually(async () => assert.equal(isAlive(server), false))
})

test('a stale postmaster.pid with the id of another process is ignored; that process is unaffected', async (t) => {
  const dataDir = await copyUsedDataFolder(await makeFolder(t))
  const bystander = spawn('sleep', ['60'])
  cleanUpAfter(t, () => bystander.kill())
  const cluster = join(dataDir, 'postgres/cluster')
  const file = join(cluster, 'postmaster.pid')
  await writeFile(file, `${bystander.pid}\n${cluster}\n1\n5432\n${join(dataDir, 'postgres/run')}\n\n0 0\nready   \n`)
  const { uid, gid } = await stat(cluster)
  await chown(file, uid, gid)
  await query(await startForTest(t, dataDir), 'select')
  assert.equal(isAlive(bystander.pid!), true)
})

test('a database that was copied with permissions of other users starts, without these permissions', async (t) => {
  const dataDir = await copyUsedDataFolder(await makeFolder(t))
  const cluster = join(dataDir, 'postgres/cluster')
  await chmod(cluster, 0o755)
  await query(await startForTest(t, dataDir), 'select')
  assert.equal((await stat(cluster)).mode & 0o777, 0o700)
})

test('the database stops although nothing can be written to its folder', async (t) => {
  const dataDir = await copyUsedDataFolder(await makeFolder(t))
  const database = await startForTest(t, dataDir)
  const server = await pidOfServer(dataDir)
  // Stands for a full disk: the server cannot record that it stops.
  await mkdir(join(dataDir, 'postgres/owner.json.new'))
  await database.stop()
  assert.equal(isAlive(server), false)
})

test('a cluster of an unknown version is rejected with instructions and not changed', async (t) => {
  const dataDir = await makeFolder(t)
  const cluster = join(dataDir, 'postgres/cluster')
  await mkdir(cluster, { recursive: true })
  await assert.rejects(startEmbeddedDatabase({ dataDir, log: silentLog }), /no PG_VERSION.*DATABASE_URL/)
  await writeFile(join(cluster, 'PG_VERSION'), '17\n')
  await assert.rejects(startEmbeddedDatabase({ dataDir, log: silentLog }), /was created by PostgreSQL 17.*DATABASE_URL/)
  assert.deepEqual(await readdir(cluster), ['PG_VERSION'])
})

test('a command uses the running database, or starts one and stops it after the last command', async (t) => {
  const dataDir = await copyUsedDataFolder(await makeFolder(t))
  assert.equal(await joinRunningEmbeddedDatabase({ dataDir }), null)
  const first = await openEmbeddedDatabase({ dataDir, log: silentLog })
  const server = await pidOfServer(dataDir)
  const second = await openEmbeddedDatabase({ dataDir, log: silentLog })
  assert.deepEqual([first.isOwner, second.isOwner], [true, false])
  assert.deepEqual(second.connection, first.connection)

  const stopped = first.stop()
  const owner = async () =>
    JSON.parse(await readFile(join(dataDir, 'postgres/owner.json'), 'utf8')) as { isStopping: boolean }
  assert.equal((await owner()).isStopping, true)
  await query(second, 'select')
  await second.stop()
  await stopped
  assert.equal(isAlive(server), false)
})

test('a command does not wait for a running database whose disk is full, and reports that', async (t) => {
  const dataDir = await copyUsedDataFolder(await makeFolder(t))
  const database = await startForTest(t, dataDir)
  // Refuses the sessions of commands as PostgreSQL does then.
  await query(
    database,
    `create function refuse() returns event_trigger language plpgsql as $$ begin
       if current_setting('application_name') = 'linnet guest' then
         raise exception 'No space left on device' using errcode = 'disk_full';
       end if;
     end $$;
     create event trigger refuse on login execute function refuse()`,
  )
  await assert.rejects(joinRunningEmbeddedDatabase({ dataDir }), { code: '53100', message: 'No space left on device' })
})

test('concurrent commands complete, and a server waits for them', async (t) => {
  const dataDir = await copyUsedDataFolder(await makeFolder(t))
  const body = `
    const database = await openEmbeddedDatabase(options)
    const client = new pg.Client(database.connection)
    await client.connect()
    await client.query('create table if not exists notes (pid int)').catch(() => {})
    await client.query('insert into notes values ($1)', [process.pid])
    await client.end()
    await database.stop()
    process.exit()`
  const tools = [1, 2, 3].map(() => startOtherProcess(t, dataDir, body))
  const owner = join(dataDir, 'postgres/owner.json')
  await eventually(async () => assert.match(await readFile(owner, 'utf8'), /"isServer":false/))
  const database = await startForTest(t, dataDir)
  const codes = () => tools.map((first) => first.process.exitCode)
  await eventually(async () => assert.deepEqual(codes(), [0, 0, 0]))
  assert.deepEqual(await query(database, 'select count(*)::int from notes'), [{ count: 3 }])
})

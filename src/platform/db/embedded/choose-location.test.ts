// Slow: starts programs or databases.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { chmod, chown, cp, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
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
import { joinRunningEmbeddedDatabase, startEmbeddedDatabase } from './embedded-database.ts'
import { findBinaries } from './postgres-binaries.ts'
import {
  findDedicatedUser,
  findUnprivilegedUser,
  isDedicatedUser,
  isRoot,
  spawnWith,
  listLaunchMethods,
} from './launch-method.ts'
import type { SystemUser } from './launch-method.ts'

test('a data folder whose path is too long for a socket gets a temporary private socket folder', async (t) => {
  const dataDir = await copyUsedDataFolder(join(await makeFolder(t), 'deep '.repeat(20), "it's", 'deep'.repeat(20)))
  const database = await startForTest(t, dataDir)
  const { host } = database.connection
  assert.ok(host.length < 60)
  assert.equal((await stat(host)).mode & 0o777, 0o700)
  const joined = await joinRunningEmbeddedDatabase({ dataDir })
  assert.equal(joined?.connection.host, host)
  await joined.stop()
  await database.stop()
  await assert.rejects(stat(host), { code: 'ENOENT' })
})

test('all launch methods work in a folder that only its owner can enter, one after the other', async (t) => {
  const home = await makeFolder(t, 0o700)
  const dataDir = await copyUsedDataFolder(join(home, 'data'))
  await cp(join(findBinaries(), '..'), join(home, 'package'), { recursive: true })
  const native = join(home, 'package/native')
  // Under root, the method `drop` cannot work, because another user cannot enter the folder.
  const methods = listLaunchMethods(findUnprivilegedUser()).filter((method) => method.name !== 'drop')
  let starts = 0
  for (const method of [...methods, ...methods]) {
    const database = await startEmbeddedDatabase(
      { dataDir, log: silentLog },
      { nativeFolder: native, launchMethods: [method], externalRoot: join(home, 'unused') },
    )
    await query(database, 'create table if not exists notes (method text)')
    await query(database, `insert into notes values ('${method.name}')`)
    assert.deepEqual(await query(database, 'select count(*)::int from notes'), [{ count: ++starts }])
    assert.ok(database.connection.host.startsWith(dataDir))
    await database.stop()
  }
})

test('if no launch method can access the data folder, the database is stored in an external folder', async (t) => {
  const folder = await makeFolder(t)
  const home = join(folder, 'home')
  const dataDir = join(home, 'data')
  await mkdir(home, { mode: 0o700 })
  const externalRoot = join(folder, 'foreign')
  const hostEnvironment = {
    nativeFolder: findBinaries(),
    launchMethods: listLaunchMethods(findUnprivilegedUser()).slice(0, 1),
    externalRoot,
  }
  if (!isRoot()) {
    // An ordinary user can always access the own folder, so this simulates an earlier start as root.
    await mkdir(join(dataDir, 'postgres'), { recursive: true })
    await mkdir(join(externalRoot, 'x'), { recursive: true })
    await writeFile(join(dataDir, 'postgres/elsewhere'), `${join(externalRoot, 'x')}\n`)
  }
  // The most restrictive umask: the start must grant what the database's user needs.
  const mask = process.umask(0o077)
  cleanUpAfter(t, () => process.umask(mask))
  const warnings: string[] = []
  const first = await startEmbeddedDatabase(
    { dataDir, log: { ...silentLog, warn: (_facts, text) => warnings.push(text) } },
    hostEnvironment,
  )
  cleanUpAfter(t, () => first.stop())
  await query(first, 'create table notes as select 1 as n')
  const location = dirname(first.connection.host)
  assert.equal(dirname(location), externalRoot)
  assert.deepEqual(
    warnings,
    isRoot() ? [`The database's user cannot enter ${dataDir}; the database is stored in ${location}`] : [],
  )
  await first.stop()

  const copy = join(home, 'copy')
  await cp(dataDir, copy, { recursive: true })
  const second = await startForTest(t, dataDir, hostEnvironment)
  assert.deepEqual(await query(second, 'select n from notes'), [{ n: 1 }])
  await assert.rejects(startEmbeddedDatabase({ dataDir: copy, log: silentLog }, hostEnvironment), /in use by process/)
})

test('a data folder that was restored without its external folder gets no empty database', async (t) => {
  const dataDir = await makeFolder(t)
  const missing = join(dataDir, 'not restored')
  await mkdir(join(dataDir, 'postgres'))
  const pointer = join(dataDir, 'postgres/elsewhere')
  await writeFile(pointer, `${missing}\n`)
  await assert.rejects(startEmbeddedDatabase({ dataDir, log: silentLog }), {
    name: 'EmbeddedDatabaseError',
    message: `The database of ${dataDir} is stored in ${missing}, which does not exist: restore that folder from a backup, too, or delete ${pointer} to start with an empty database`,
  })
  await assert.rejects(stat(missing), { code: 'ENOENT' })
})

test('the group of the database can traverse a private data folder, and other users have no access', async (t) => {
  const folder = await makeFolder(t)
  const dataDir = await copyUsedDataFolder(join(folder, 'data'))
  await chmod(dataDir, 0o700)
  // A copy, because the program may be in a folder that only root can enter.
  await cp(join(findBinaries(), '..'), join(folder, 'package'), { recursive: true })
  const native = join(folder, 'package/native')
  const hostEnvironment = {
    nativeFolder: native,
    launchMethods: listLaunchMethods(findUnprivilegedUser()).slice(0, 1),
    externalRoot: '/nowhere',
  }
  const database = await startForTest(t, dataDir, hostEnvironment)
  assert.ok(database.connection.host.startsWith(dataDir))
  for (const path of [dataDir, join(dataDir, 'postgres')]) {
    const { mode, gid } = await stat(path)
    assert.equal(mode & 0o777, isRoot() ? 0o710 : 0o700)
    if (isRoot()) assert.equal(gid, findUnprivilegedUser()?.gid)
  }
})

test('root runs the database with a user id of its own, and takes over clusters of a shared user', async (t) => {
  const folder = await makeFolder(t)
  await cp(join(findBinaries(), '..'), join(folder, 'package'), { recursive: true })
  const native = join(folder, 'package/native')
  const dataDir = join(folder, 'data')
  const own = findDedicatedUser(dataDir)
  const cluster = join(dataDir, 'postgres/cluster')
  const userIds = async () => {
    const process = await stat(`/proc/${await pidOfServer(dataDir)}`).catch(() => null)
    return [(await stat(cluster)).uid, (await stat(join(cluster, 'base'))).uid, ...(process ? [process.uid] : [])]
  }
  const useWith = async (user: SystemUser | null) => {
    const methods = listLaunchMethods(user).slice(0, 1)
    const database = await startEmbeddedDatabase(
      { dataDir, log: silentLog },
      { nativeFolder: native, launchMethods: methods, externalRoot: '/nowhere' },
    )
    await query(database, 'create table if not exists notes (n int)')
    await query(database, 'insert into notes values (1)')
    const [row] = await query(database, 'select count(*)::int as count from notes')
    const ids = new Set(await userIds())
    await database.stop()
    return { count: row?.['count'], ids: [...ids] }
  }
  const self = process.getuid?.()
  assert.deepEqual(await useWith(own), { count: 1, ids: [isRoot() ? own.uid : self] })
  assert.deepEqual(await useWith(findUnprivilegedUser()), {
    count: 2,
    ids: [isRoot() ? findUnprivilegedUser()?.uid : self],
  })
  // The permissions of an earlier version.
  await chmod(dataDir, 0o711)
  await chmod(join(dataDir, 'postgres'), 0o711)
  assert.deepEqual(await useWith(own), { count: 3, ids: [isRoot() ? own.uid : self] })
  const database = await startForTest(t, dataDir)
  assert.deepEqual(await query(database, 'select count(*)::int from notes'), [{ count: 3 }])
  // If only root can enter the folder of the program, another method is used, and the files belong to root.
  assert.ok([isRoot() ? own.uid : self, self].includes((await stat(cluster)).uid))
})

test('the user id of the database is the same at each start and not used by other programs', () => {
  const own = findDedicatedUser('/srv/linnet')
  assert.deepEqual(findDedicatedUser('/srv/linnet'), own)
  assert.equal(isDedicatedUser(own), true)
  for (const user of [
    { uid: 0, gid: 0 },
    { uid: own.uid, gid: 0 },
    { uid: 65_534, gid: 65_534 },
  ])
    assert.equal(isDedicatedUser(user), false)
})

test('if PostgreSQL cannot run, the message names DATABASE_URL', async (t) => {
  const folder = await makeFolder(t)
  const hostEnvironment = {
    nativeFolder: join(folder, 'none'),
    launchMethods: listLaunchMethods(findUnprivilegedUser()),
    externalRoot: join(folder, 'foreign'),
  }
  await assert.rejects(
    startEmbeddedDatabase({ dataDir: join(folder, 'data'), log: silentLog }, hostEnvironment),
    /DATABASE_URL/,
  )
})

test('an ordinary user starts the database with the same user', async (t) => {
  const folder = await makeFolder(t)
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const user = findUnprivilegedUser()
  // Under root, the test runs as a user who may not be able to enter the folder of this file.
  const methods = isRoot() ? listLaunchMethods(user) : []
  const method = methods.find(({ name }) => name === 'setpriv') ?? methods.find(({ name }) => name === 'drop')
  if (method && user) await chown(dataDir, user.uid, user.gid)
  const other = startOtherProcess(
    t,
    dataDir,
    `const database = await startEmbeddedDatabase(options)
     const client = new pg.Client(database.connection)
     await client.connect()
     console.log((await client.query('select count(*) from pg_database')).rowCount)
     await client.end()
     await database.stop()
     console.log('stopped')`,
    method && ((program, args, options) => spawnWith(method, program, args, options)),
  )
  assert.equal((await other.lines.next()).value, '1')
  assert.equal((await other.lines.next()).value, 'stopped')
  const { uid } = await stat(join(dataDir, 'postgres/cluster'))
  assert.equal(uid, method ? user?.uid : process.getuid?.())
})

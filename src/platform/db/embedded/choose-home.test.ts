// Slow: starts programs or databases of its own.
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { chmod, chown, cp, mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fill, makeFolder, pidOfServer, query, quiet, start, startOther, undo } from '../../../../test/embedded.ts'
import { connectToRunningEmbedded, startEmbedded } from '../embedded.ts'
import { findBinaries } from './binaries.ts'
import { findOwnUser, findPlainUser, isOwnUser, isRoot, spawnIn, waysFor } from './way.ts'
import type { User } from './way.ts'

test('a data folder too deep for a socket gets a short private one, which goes away again', async (t) => {
  const dataDir = await fill(join(await makeFolder(t), 'deep '.repeat(20), "it's", 'deep'.repeat(20)))
  const database = await start(t, dataDir)
  const { host } = database.connection
  assert.ok(host.length < 60)
  assert.equal((await stat(host)).mode & 0o777, 0o700)
  const guest = await connectToRunningEmbedded({ dataDir })
  assert.equal(guest?.connection.host, host)
  await guest.stop()
  await database.stop()
  await assert.rejects(stat(host), { code: 'ENOENT' })
})

test('every way of running the server works in a folder that only its owner may enter, one after the other', async (t) => {
  const home = await makeFolder(t, 0o700)
  const dataDir = await fill(join(home, 'data'))
  await cp(join(findBinaries(), '..'), join(home, 'package'), { recursive: true })
  const native = join(home, 'package/native')
  // As root, running under another user without more is what such a folder forbids.
  const ways = waysFor(findPlainUser()).filter((way) => way.name !== 'drop')
  let starts = 0
  for (const way of [...ways, ...ways]) {
    const database = await startEmbedded(
      { dataDir, log: quiet },
      { native, ways: [way], foreignRoot: join(home, 'unused') },
    )
    await query(database, 'create table if not exists notes (way text)')
    await query(database, `insert into notes values ('${way.name}')`)
    assert.deepEqual(await query(database, 'select count(*)::int from notes'), [{ count: ++starts }])
    assert.ok(database.connection.host.startsWith(dataDir))
    await database.stop()
  }
})

test('where the folder is closed and no way leads in, the database lives elsewhere and is found there again', async (t) => {
  const folder = await makeFolder(t)
  const home = join(folder, 'home')
  const dataDir = join(home, 'data')
  await mkdir(home, { mode: 0o700 })
  const foreignRoot = join(folder, 'foreign')
  const surroundings = { native: findBinaries(), ways: waysFor(findPlainUser()).slice(0, 1), foreignRoot }
  if (!isRoot()) {
    // An ordinary user's own folder is never closed to him, so here an earlier start as root has left the note.
    await mkdir(join(dataDir, 'postgres'), { recursive: true })
    await writeFile(join(dataDir, 'postgres/elsewhere'), `${join(foreignRoot, 'x')}\n`)
  }
  // The most careful of masks: whatever the database's user needs must be opened for it.
  const mask = process.umask(0o077)
  undo(t, () => process.umask(mask))
  const warnings: string[] = []
  const first = await startEmbedded(
    { dataDir, log: { ...quiet, warn: (_facts, text) => warnings.push(text) } },
    surroundings,
  )
  undo(t, () => first.stop())
  await query(first, 'create table notes as select 1 as n')
  const place = dirname(first.connection.host)
  assert.equal(dirname(place), foreignRoot)
  assert.deepEqual(
    warnings,
    isRoot() ? [`The database's user cannot enter ${dataDir}; the database is stored in ${place}`] : [],
  )
  await first.stop()

  const copy = join(home, 'copy')
  await cp(dataDir, copy, { recursive: true })
  const second = await start(t, dataDir, surroundings)
  assert.deepEqual(await query(second, 'select n from notes'), [{ n: 1 }])
  await assert.rejects(startEmbedded({ dataDir: copy, log: quiet }, surroundings), /in use by process/)
})

test('of a data folder that only its owner may enter, the group of the database may pass, and nobody may look', async (t) => {
  const folder = await makeFolder(t)
  const dataDir = await fill(join(folder, 'data'))
  await chmod(dataDir, 0o700)
  // The program itself may lie where only root may enter, which is another test's matter.
  await cp(join(findBinaries(), '..'), join(folder, 'package'), { recursive: true })
  const native = join(folder, 'package/native')
  const surroundings = { native, ways: waysFor(findPlainUser()).slice(0, 1), foreignRoot: '/nowhere' }
  const database = await start(t, dataDir, surroundings)
  assert.ok(database.connection.host.startsWith(dataDir))
  for (const path of [dataDir, join(dataDir, 'postgres')]) {
    const { mode, gid } = await stat(path)
    assert.equal(mode & 0o777, isRoot() ? 0o710 : 0o700)
    if (isRoot()) assert.equal(gid, findPlainUser()?.gid)
  }
})

test('root runs the database under a user id that no other program has, and takes over what ran under a shared one', async (t) => {
  const folder = await makeFolder(t)
  await cp(join(findBinaries(), '..'), join(folder, 'package'), { recursive: true })
  const native = join(folder, 'package/native')
  const dataDir = join(folder, 'data')
  const own = findOwnUser(dataDir)
  const cluster = join(dataDir, 'postgres/cluster')
  const userIds = async () => {
    const process = await stat(`/proc/${await pidOfServer(dataDir)}`).catch(() => null)
    return [(await stat(cluster)).uid, (await stat(join(cluster, 'base'))).uid, ...(process ? [process.uid] : [])]
  }
  const useWith = async (user: User | null) => {
    const ways = waysFor(user).slice(0, 1)
    const database = await startEmbedded({ dataDir, log: quiet }, { native, ways, foreignRoot: '/nowhere' })
    await query(database, 'create table if not exists notes (n int)')
    await query(database, 'insert into notes values (1)')
    const [row] = await query(database, 'select count(*)::int as count from notes')
    const ids = new Set(await userIds())
    await database.stop()
    return { count: row?.['count'], ids: [...ids] }
  }
  const self = process.getuid?.()
  assert.deepEqual(await useWith(own), { count: 1, ids: [isRoot() ? own.uid : self] })
  assert.deepEqual(await useWith(findPlainUser()), { count: 2, ids: [isRoot() ? findPlainUser()?.uid : self] })
  // As an earlier version left it.
  await chmod(dataDir, 0o711)
  await chmod(join(dataDir, 'postgres'), 0o711)
  assert.deepEqual(await useWith(own), { count: 3, ids: [isRoot() ? own.uid : self] })
  const database = await start(t, dataDir)
  assert.deepEqual(await query(database, 'select count(*)::int from notes'), [{ count: 3 }])
  // The program may lie where only root may enter, and then another way is taken; the files belong to nobody else.
  assert.ok([isRoot() ? own.uid : self, self].includes((await stat(cluster)).uid))
})

test('the user id of the database is the same at each start, and outside of those that others have', () => {
  const own = findOwnUser('/srv/linnet')
  assert.deepEqual(findOwnUser('/srv/linnet'), own)
  assert.equal(isOwnUser(own), true)
  for (const user of [
    { uid: 0, gid: 0 },
    { uid: own.uid, gid: 0 },
    { uid: 65_534, gid: 65_534 },
  ])
    assert.equal(isOwnUser(user), false)
})

test('where no PostgreSQL can run, the message names DATABASE_URL', async (t) => {
  const folder = await makeFolder(t)
  const surroundings = {
    native: join(folder, 'none'),
    ways: waysFor(findPlainUser()),
    foreignRoot: join(folder, 'foreign'),
  }
  await assert.rejects(startEmbedded({ dataDir: join(folder, 'data'), log: quiet }, surroundings), /DATABASE_URL/)
})

test('an ordinary user starts it with his own rights', async (t) => {
  const folder = await makeFolder(t)
  const dataDir = join(folder, 'data')
  await mkdir(dataDir)
  const user = findPlainUser()
  // Root tries it as somebody who may not even enter the folder that this file lies in.
  const ways = isRoot() ? waysFor(user) : []
  const way = ways.find(({ name }) => name === 'setpriv') ?? ways.find(({ name }) => name === 'drop')
  if (way && user) await chown(dataDir, user.uid, user.gid)
  const other = startOther(
    t,
    dataDir,
    `const database = await startEmbedded(options)
     const client = new pg.Client(database.connection)
     await client.connect()
     console.log((await client.query('select count(*) from pg_database')).rowCount)
     await client.end()
     await database.stop()
     console.log('stopped')`,
    way && ((program, args, options) => spawnIn(way, program, args, options)),
  )
  assert.equal((await other.lines.next()).value, '1')
  assert.equal((await other.lines.next()).value, 'stopped')
  const { uid } = await stat(join(dataDir, 'postgres/cluster'))
  assert.equal(uid, way ? user?.uid : process.getuid?.())
})

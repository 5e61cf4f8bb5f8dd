import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { cloneDatabase } from '../../../test/services/database/test-database.ts'
import { createDb, createPool } from './connection.ts'
import { checkForInvalidations } from './invalidations.ts'
import { ViewerCache } from './viewer-cache.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 2, onError: () => {} })
const db = createDb(pool)
after(async () => {
  await pool.end()
  await database.drop()
})

const VIEWER = '7'
/** Lets the viewer interact with something. */
const act = () => db.query(`insert into invalidations (kind, subject_id) values ('v', $1)`, [VIEWER])

/** Opens a cache with a reader of one key, which returns the cached value, or else `loaded`. */
function openCache() {
  const cache = new ViewerCache<string>({ valueBytes: 0, isInvalidated: () => false })
  const read = async (key: string, loaded: string | Promise<string>) => {
    const invalidations = await checkForInvalidations(db)
    const load = async () => [[key, await loaded] as const]
    return (await cache.find(invalidations, { viewerId: VIEWER, keys: [key], load }))[0]
  }
  return { cache, read }
}

test('CA2 a value that was loaded before an action of the viewer is not stored beside those loaded after it', async () => {
  const { cache, read } = openCache()
  const { epoch: since } = await checkForInvalidations(db)
  await act()
  await read('first', 'new')
  const loaded = Promise.withResolvers<string>()
  const reading = read('second', loaded.promise)
  cache.set(await checkForInvalidations(db), { viewerId: VIEWER, values: [['third', 'old']], since })
  loaded.resolve('new')
  await reading
  assert.equal(await read('third', 'new'), 'new')
})

test('a value that was loaded after the last action of the viewer is stored until the next one', async () => {
  const { cache, read } = openCache()
  const invalidations = await checkForInvalidations(db)
  cache.set(invalidations, { viewerId: VIEWER, values: [['key', 'one']], since: invalidations.epoch })
  assert.equal(await read('key', 'two'), 'one')
  await act()
  assert.equal(await read('key', 'two'), 'two')
})

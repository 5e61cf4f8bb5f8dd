import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { urlOf } from '../../../test/servers/linnet-process.ts'
import { cloneDatabase } from '../../../test/services/database/test-database.ts'
import { readConfig } from '../config/config.ts'
import { createLog } from '../log/log.ts'
import { createPool } from './connection.ts'
import { openDatabase } from './open-database.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 1, onError: () => {} })
after(async () => {
  await pool.end()
  await database.drop()
})

const open = async (url: string) =>
  openDatabase(readConfig({ DATABASE_URL: url }), { opener: 'server', log: createLog('silent') })

test('a database of a supported version is opened', async () => {
  const { version, close } = await open(urlOf(database.connection))
  assert.match(version, /^\d+\.\d+$/)
  await close()
})

test('a database with another encoding than UTF-8 is rejected before its tables are created', async (t) => {
  const name = `latin_${process.pid}`
  await pool.query(`create database ${name} encoding 'LATIN1' locale_provider libc locale 'C' template template0`)
  t.after(() => pool.query(`drop database ${name}`))
  await assert.rejects(open(urlOf({ ...database.connection, database: name })), {
    name: 'DatabaseUnavailableError',
    message: /^The database at \S+ has the encoding LATIN1; Linnet needs one with the encoding UTF8$/,
  })
})

test('a database in which the user may create no tables is rejected with the name of the user', async (t) => {
  const role = `guest_${process.pid}`
  await pool.query(`create role ${role}`)
  t.after(() => pool.query(`drop role ${role}`))
  await assert.rejects(open(`${urlOf(database.connection)}&options=-c%20role%3D${role}`), {
    name: 'DatabaseUnavailableError',
    message: new RegExp(`^The database at \\S+ does not let the user ${role} create tables; make this user its owner$`),
  })
})

test('a database that is read-only is rejected', async () => {
  const url = `${urlOf(database.connection)}&options=-c%20default_transaction_read_only%3Don`
  await assert.rejects(open(url), {
    name: 'DatabaseUnavailableError',
    message: /^The database at \S+ is read-only, as a standby is; Linnet needs the primary$/,
  })
})

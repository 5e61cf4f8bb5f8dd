import pg from 'pg'
import type { Connection } from '../../../src/platform/db/connection.ts'
import { readCatalogs, readTemplate, restoreRows } from './restore-rows.ts'
import type { Template } from './restore-rows.ts'
import { internalsOf, ReusedSessions } from './reused-sessions.ts'
import { cloneDatabase } from './test-database.ts'
import type { ClonedDatabase } from './test-database.ts'

interface ReusedDatabase extends ClonedDatabase {
  sessions: ReusedSessions
  /** The session that restores the rows. */
  control: pg.Client
  /** The state of the catalogs of the new database. */
  catalogs: string
}

/** The databases that no test uses. */
const idle: ReusedDatabase[] = []

/** What each database contains at first. */
let template: Promise<Template> | undefined

/**
 * Returns a database with the rows of the template, which belongs to the caller until `drop`. Then its rows are
 * restored for the next caller in this process, and its sessions with their prepared statements are used again: in a
 * cloned database, each session would have to read the catalogs and plan all statements. Only a database in which a
 * test changed more than rows is really dropped.
 */
export async function takeDatabase(): Promise<ClonedDatabase> {
  const database = idle.pop() ?? (await createReusedDatabase())
  const { connection, sessions } = database
  const withSessions: Connection & { Client: typeof pg.Client } = { ...connection, Client: sessions.Client }
  return { connection: withSessions, drop: () => returnDatabase(database) }
}

async function createReusedDatabase(): Promise<ReusedDatabase> {
  const cloned = await cloneDatabase()
  const control = new pg.Client({
    ...cloned.connection,
    options: '-c lock_timeout=1s -c plan_cache_mode=force_generic_plan',
  })
  // The server may stop before this process.
  control.on('error', () => undefined)
  await control.connect()
  template ??= readTemplate(control)
  await template
  return { ...cloned, control, catalogs: await readCatalogs(control), sessions: new ReusedSessions() }
}

async function returnDatabase(database: ReusedDatabase): Promise<void> {
  const { control, sessions } = database
  internalsOf(control).ref()
  if (await restore(database).catch(() => false)) {
    // The session does not keep the process running.
    internalsOf(control).unref()
    idle.push(database)
    return
  }
  sessions.close()
  await control.end().catch(() => undefined)
  await database.drop()
}

/** Returns false if the database cannot be used again. */
async function restore({ control, sessions, catalogs }: ReusedDatabase): Promise<boolean> {
  const hasEndedOthers = await endOtherSessions(control, { except: sessions.pids })
  return hasEndedOthers && (await readCatalogs(control)) === catalogs && restoreRows(control, await template!)
}

/** Ends the sessions that tests have left open. Returns false if one of them was in a transaction. */
async function endOtherSessions(control: pg.Client, { except }: { except: readonly number[] }): Promise<boolean> {
  const { rows } = await control.query<{ state: string }>({
    name: 'end other sessions',
    text: `select state, pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and pid <> all($1)`,
    values: [except],
  })
  return rows.every(({ state }) => state === 'idle')
}

async function dropIdleDatabases(): Promise<void> {
  for (const { control, sessions, drop } of idle.splice(0)) {
    sessions.close()
    await control.end()
    await drop()
  }
}

// The databases of the suite's own server disappear with it.
if (process.env['TEST_POSTGRES']) process.once('beforeExit', () => void dropIdleDatabases())

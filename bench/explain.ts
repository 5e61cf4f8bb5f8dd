import { createDb, createPool } from '../src/platform/db/connect.ts'
import type { Db } from '../src/platform/db/connect.ts'
import { readConfig } from '../src/platform/config.ts'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import { createLog } from '../src/platform/log.ts'
import type { Read } from '../src/domain/context.ts'
import { readAccountStatuses } from '../src/domain/accounts/statuses.ts'
import { readHomeFeed } from '../src/domain/feeds/home.ts'
import { readPublicTimeline } from '../src/domain/feeds/public.ts'
import { readNotifications } from '../src/domain/notifications/list.ts'
import { searchAccounts } from '../src/domain/accounts/search.ts'
import { renderAccounts } from '../src/render/accounts.ts'
import { renderNotificationPage } from '../src/render/notifications.ts'
import { renderStatuses } from '../src/render/statuses.ts'

/** So often each page is read. The first reading is told, which finds nothing kept, and the last. */
const READINGS = 3

/** One statement of a page, as the database did it. */
interface Explained {
  /** Every table that was looked into, by which index, and how many rows came of it. */
  scans: string[]
  /** Pages of 8 kB that were looked at. */
  buffers: number
  planningMs: number
  executionMs: number
}

/** Prints what the statements of the most read pages cost in this dataset, and where they look for what. */
export async function explainPages(
  env: Record<string, string> & { DATA_DIR: string },
  { accountIds }: { accountIds: readonly string[] },
): Promise<void> {
  const database = await startEmbedded({ dataDir: env.DATA_DIR, log: createLog('error') })
  const pool = createPool(database.connection, { max: 1, onError: console.error })
  try {
    const page = { limit: 20 }
    // Neither the first, who writes most, nor the last.
    const accountId = accountIds[Math.floor(accountIds.length / 10)]!
    const pages: Record<string, (read: Read) => Promise<unknown>> = {
      home: async (read) =>
        renderStatuses(read, { ids: await readHomeFeed(read, { accountId, page }), viewerId: accountId }),
      'local public': async (read) => {
        const ids = await readPublicTimeline(read, { viewerId: null, page, origin: 'local' })
        return renderStatuses(read, { ids, viewerId: null })
      },
      account: async (read) => {
        const ids = await readAccountStatuses(read, { accountId, viewerId: null, page })
        return renderStatuses(read, { ids, viewerId: null })
      },
      notifications: async (read) =>
        renderNotificationPage(read, { rows: await readNotifications(read, { accountId, page }), viewerId: accountId }),
      'account search': async (read) => {
        const ids = await searchAccounts(read, { query: 'Birch', viewerId: accountId, limit: 40 })
        return renderAccounts(read, { ids })
      },
    }
    for (const [name, show] of Object.entries(pages)) {
      const readings: Explained[][] = []
      // What is kept from one page to the next hangs on these two.
      const config = readConfig(env)
      const db = explaining(createDb(pool), (explained) => readings.at(-1)?.push(explained))
      for (let n = 0; n < READINGS; n += 1) {
        readings.push([])
        await show({ db, config })
      }
      print(`${name}, for the first time`, readings[0]!)
      print(`${name}, again`, readings.at(-1)!)
    }
  } finally {
    await pool.end()
    await database.stop()
  }
}

/** A database that explains each prepared statement before it answers. */
function explaining(db: Db, note: (explained: Explained) => void): Db {
  return {
    ...db,
    async query(text, values) {
      const { rows } = await db.query(`explain (analyze, buffers, costs off, timing off) ${text}`, values)
      note(readPlan((rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN'])))
      return db.query(text, values)
    },
  }
}

function readPlan(lines: readonly string[]): Explained {
  const counts = [...(lines.find((line) => line.includes('Buffers:')) ?? '').matchAll(/(?:hit|read)=(\d+)/g)]
  const timeOf = (what: string) => Number(lines.find((line) => line.startsWith(what))?.match(/[\d.]+/)?.[0] ?? 0)
  return {
    scans: lines.flatMap((line) => /(\w[\w ]* Scan\b.* on .*actual rows.*)/.exec(line)?.[1] ?? []),
    buffers: counts.reduce((sum, [, count]) => sum + Number(count), 0),
    planningMs: timeOf('Planning Time'),
    executionMs: timeOf('Execution Time'),
  }
}

function print(name: string, statements: readonly Explained[]): void {
  const sum = statements.reduce((all, { buffers }) => all + buffers, 0)
  console.log(`\n${name}: ${statements.length} statements, ${sum} pages of 8 kB`)
  for (const { buffers, planningMs, executionMs, scans } of statements) {
    console.log(`  ${buffers} pages, ${executionMs.toFixed(2)} ms, and ${planningMs.toFixed(2)} ms to plan`)
    for (const scan of scans) console.log(`    ${scan}`)
  }
}

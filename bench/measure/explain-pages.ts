import { createDb, createPool } from '../../src/platform/db/connection.ts'
import type { Db } from '../../src/platform/db/connection.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { startEmbeddedDatabase } from '../../src/platform/db/embedded/embedded-database.ts'
import { createLog } from '../../src/platform/log/log.ts'
import type { CachedRead } from '../../src/domain/context.ts'
import { openRead } from '../../src/domain/open-read.ts'
import { listAccountStatuses } from '../../src/domain/timelines/public/list-account-statuses.ts'
import { readHomeFeed } from '../../src/domain/timelines/feeds/read-home-feed.ts'
import { readPublicTimeline } from '../../src/domain/timelines/public/read-public-timeline.ts'
import { listNotifications } from '../../src/domain/notifications/read/list-notifications.ts'
import { searchAccounts } from '../../src/domain/accounts/lookup/search-accounts.ts'
import { renderAccounts } from '../../src/render/accounts/render-accounts.ts'
import { renderNotificationPage } from '../../src/render/notifications/render-notifications.ts'
import { renderStatuses } from '../../src/render/statuses/render-statuses.ts'

/** How often each page is read. The first read, with empty caches, and the last one are printed. */
const READS_PER_PAGE = 3

/** The execution plan of one statement. */
interface ExplainedStatement {
  /** The scanned tables with the index and the number of rows. */
  scans: string[]
  /** The number of accessed pages of 8 kB. */
  buffers: number
  planningMs: number
  executionMs: number
}

/** Prints the cost and the scans of the statements of the most frequent pages, in this dataset. */
export async function explainPages(
  env: Record<string, string> & { DATA_DIR: string },
  { accountIds }: { accountIds: readonly string[] },
): Promise<void> {
  const database = await startEmbeddedDatabase({ dataDir: env.DATA_DIR, log: createLog('error') })
  const pool = createPool(database.connection, { max: 1, onError: console.error })
  try {
    const page = { limit: 20 }
    // An average account: the first ones post most, the last ones least.
    const accountId = accountIds[Math.floor(accountIds.length / 10)]!
    const pages: Record<string, (read: CachedRead) => Promise<unknown>> = {
      home: async (read) =>
        renderStatuses(read, { ids: await readHomeFeed(read, { accountId, page }), viewerId: accountId }),
      'local public': async (read) => {
        const ids = await readPublicTimeline(read, { viewerId: null, page, origin: 'local' })
        return renderStatuses(read, { ids, viewerId: null })
      },
      account: async (read) => {
        const ids = await listAccountStatuses(read, { accountId, viewerId: null, page })
        return renderStatuses(read, { ids, viewerId: null })
      },
      notifications: async (read) =>
        renderNotificationPage(read, { rows: await listNotifications(read, { accountId, page }), viewerId: accountId }),
      'account search': async (read) => {
        const ids = await searchAccounts(read, { query: 'Birch', viewerId: accountId, limit: 40 })
        return renderAccounts(read, { ids })
      },
    }
    for (const [name, render] of Object.entries(pages)) {
      const reads: ExplainedStatement[][] = []
      // Caches are bound to these two objects.
      const config = readConfig(env)
      const db = createExplainingDb(createDb(pool), (explained) => reads.at(-1)?.push(explained))
      for (let n = 0; n < READS_PER_PAGE; n += 1) {
        reads.push([])
        await render(await openRead({ db, config }))
      }
      print(`${name}, first read`, reads[0]!)
      print(`${name}, repeated read`, reads.at(-1)!)
    }
  } finally {
    await pool.end()
    await database.stop()
  }
}

/** Wraps a database so that it explains each prepared statement before it runs it. */
function createExplainingDb(db: Db, record: (explained: ExplainedStatement) => void): Db {
  return {
    ...db,
    async query(text, values) {
      const { rows } = await db.query(`explain (analyze, buffers, costs off, timing off) ${text}`, values)
      record(readPlan((rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN'])))
      return db.query(text, values)
    },
  }
}

function readPlan(lines: readonly string[]): ExplainedStatement {
  const counts = [...(lines.find((line) => line.includes('Buffers:')) ?? '').matchAll(/(?:hit|read)=(\d+)/g)]
  const timeOf = (label: string) => Number(lines.find((line) => line.startsWith(label))?.match(/[\d.]+/)?.[0] ?? 0)
  return {
    scans: lines.flatMap((line) => /(\w[\w ]* Scan\b.* on .*actual rows.*)/.exec(line)?.[1] ?? []),
    buffers: counts.reduce((sum, [, count]) => sum + Number(count), 0),
    planningMs: timeOf('Planning Time'),
    executionMs: timeOf('Execution Time'),
  }
}

function print(name: string, statements: readonly ExplainedStatement[]): void {
  const sum = statements.reduce((all, { buffers }) => all + buffers, 0)
  console.log(`\n${name}: ${statements.length} statements, ${sum} pages of 8 kB`)
  for (const { buffers, planningMs, executionMs, scans } of statements) {
    console.log(`  ${buffers} pages, ${executionMs.toFixed(2)} ms, planning ${planningMs.toFixed(2)} ms`)
    for (const scan of scans) console.log(`    ${scan}`)
  }
}

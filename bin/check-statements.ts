import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createPool } from '../src/platform/db/connection.ts'
import { startEmbeddedDatabase } from '../src/platform/db/embedded/embedded-database.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { createLog } from '../src/platform/log/log.ts'
import { checkStatements } from './statements/check.ts'

/** Checks every statement of the program on a temporary, freshly migrated database. */
const dataDir = await mkdtemp(join(tmpdir(), 'linnet-statements-database-'))
try {
  const database = await startEmbeddedDatabase({ dataDir, log: createLog('error') })
  try {
    const pool = createPool(database.connection, { max: 3, onError: console.error })
    await migrate(pool, { log: createLog('error') })
    await pool.end()
    const { count, problems } = await checkStatements(join(import.meta.dirname, '..', 'src'), database.connection)
    for (const { file, line, text } of problems) console.log(`${relative(process.cwd(), file)}:${line} ${text}`)
    console.log(`${count} statements, ${problems.length} problems`)
    process.exitCode = problems.length > 0 ? 1 : 0
  } finally {
    await database.stop()
  }
} finally {
  await rm(dataDir, { recursive: true, force: true })
}

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../src/platform/config/config.ts'
import { createDb, createPool } from '../../src/platform/db/connection.ts'
import { joinRunningEmbeddedDatabase } from '../../src/platform/db/embedded/embedded-database.ts'
import { addBuilder } from '../../test/query-builder.ts'
import { createUsers } from '../../test/servers/create-users.ts'
import { cpuOf, findPostmaster, memoryOf } from '../measure/process-stats.ts'
import { issueTokens } from '../setup/issue-tokens.ts'
import { startServer } from '../setup/start-server.ts'
import type { ComparedServer } from './compared-server.ts'

/** Rate limits stay enabled: so many users read and post that none of them reaches a limit. */
const READERS = 400
const TOKENS_PER_USER = 5

/** Starts Linnet with a new data folder. The readers follow all authors. */
export async function startLinnet({
  port,
  authors: count,
}: {
  port: number
  authors: number
}): Promise<ComparedServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bench-'))
  const server = await startServer({
    DATA_DIR: dataDir,
    LOCAL_DOMAIN: `localhost:${port}`,
    PORT: String(port),
    LOG_LEVEL: 'warn',
  })
  const database = (await joinRunningEmbeddedDatabase({ dataDir }))!
  const pool = createPool(database.connection, { max: 1, onError: console.error })
  const db = addBuilder(createDb(pool))
  const config = { origin: `http://localhost:${port}` } as Config
  const authorIds = await createUsers({ db, config }, { prefix: 'author', count })
  const readerIds = await createUsers({ db, config }, { prefix: 'reader', count: READERS })
  await sql`
    insert into follows (account_id, target_account_id)
    select reader, author from unnest(${readerIds}::bigint[]) reader, unnest(${authorIds}::bigint[]) author`.execute(db)
  // Each reader has as many followers as each author has among the authors, so that posts have the same effects.
  await sql`
    insert into follows (account_id, target_account_id)
    select (${readerIds}::bigint[])[1 + (r.position + n) % ${READERS}::int], r.id
    from unnest(${readerIds}::bigint[]) with ordinality r (id, position), generate_series(0, ${count - 2}::int) n`.execute(
    db,
  )
  const tokens = await issueTokens(db, { accountIds: authorIds, each: TOKENS_PER_USER })
  const readerTokens = await issueTokens(db, { accountIds: readerIds, each: TOKENS_PER_USER })
  await pool.end()
  await database.stop()
  const postmaster = findPostmaster(dataDir)
  return {
    name: 'Linnet',
    port,
    authors: authorIds.map((id, n) => ({ id, username: `author${n + 1}` })),
    tokens,
    readerTokens,
    actorPath: ({ id }) => `/ap/users/${id}`,
    readCpu: () =>
      cpuOf(server.pid, { withChildren: true, except: postmaster }) + cpuOf(postmaster, { withChildren: true }),
    readMemory: () => memoryOf(server.pid, { withChildren: false }) + memoryOf(postmaster, { withChildren: true }),
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true })
    },
  }
}

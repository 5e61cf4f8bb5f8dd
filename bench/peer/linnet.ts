import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../../src/platform/config/config.ts'
import { createDb, createPool } from '../../src/platform/db/connection.ts'
import { joinRunningEmbeddedDatabase } from '../../src/platform/db/embedded/embedded-database.ts'
import { addBuilder } from '../../test/query-builder.ts'
import type { BuilderDb } from '../../test/query-builder.ts'
import { createUsers } from '../../test/servers/create-users.ts'
import { cpuOf, findPostmaster, memoryOf } from '../measure/process-stats.ts'
import { issueTokens } from '../setup/issue-tokens.ts'
import { startServer } from '../setup/start-server.ts'
import type { ComparedServer } from './compared-server.ts'
import type { RemoteAuthors } from './remote-authors.ts'

/** Rate limits stay enabled: so many users read and post that none of them reaches a limit. */
const READERS = 400
const TOKENS_PER_USER = 5

/** Starts Linnet with a new data folder. The readers follow all authors. */
export async function startLinnet({
  port,
  authors: count,
  remote,
}: {
  port: number
  authors: number
  remote: RemoteAuthors
}): Promise<ComparedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, remote.ca)
  const dataDir = join(folder, 'data')
  const env = {
    DATA_DIR: dataDir,
    LOCAL_DOMAIN: `localhost:${port}`,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1/32',
    LINNET_TEST_HOSTS: remote.authors.map(({ uri }) => `${new URL(uri).host}=127.0.0.1:${remote.port}`).join(','),
    NODE_EXTRA_CA_CERTS: caFile,
  }
  const first = await startServer(env)
  await first.stop()
  const server = await startServer(env)
  const { authorIds, readerIds, tokens, readerTokens } = await withDatabase(dataDir, async (db) =>
    createReadersAndAuthors(db, { origin: `http://localhost:${port}`, count }),
  )
  const postmaster = findPostmaster(dataDir)
  return {
    name: 'Linnet',
    port,
    starts: [first.ms, server.ms],
    authors: authorIds.map((id, n) => ({ id, username: `author${n + 1}` })),
    tokens,
    readerTokens,
    actorPath: ({ id }) => `/ap/users/${id}`,
    inboxPath: '/inbox',
    async prepareReaders() {
      await withDatabase(dataDir, async (db) => copyNotifications(db, { authorIds, readerIds }))
    },
    readCpu: () =>
      cpuOf(server.pid, { withChildren: true, except: postmaster }) + cpuOf(postmaster, { withChildren: true }),
    readMemory: () => memoryOf(server.pid, { withChildren: false }) + memoryOf(postmaster, { withChildren: true }),
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true })
    },
  }
}

async function withDatabase<Result>(dataDir: string, work: (db: BuilderDb) => Promise<Result>): Promise<Result> {
  const database = (await joinRunningEmbeddedDatabase({ dataDir }))!
  const pool = createPool(database.connection, { max: 1, onError: console.error })
  try {
    return await work(addBuilder(createDb(pool)))
  } finally {
    await pool.end()
    await database.stop()
  }
}

async function createReadersAndAuthors(
  db: BuilderDb,
  { origin, count }: { origin: string; count: number },
): Promise<{ authorIds: string[]; readerIds: string[]; tokens: string[]; readerTokens: string[] }> {
  const config = { origin } as Config
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
  return { authorIds, readerIds, tokens, readerTokens }
}

/** Gives each reader the notifications of one of the authors. */
async function copyNotifications(
  db: BuilderDb,
  { authorIds, readerIds }: { authorIds: readonly string[]; readerIds: readonly string[] },
): Promise<void> {
  await sql`
    insert into notifications (account_id, from_account_id, type, status_id, group_key, created_at)
    select r.id, n.from_account_id, n.type, n.status_id, n.group_key, n.created_at
    from unnest(${readerIds}::bigint[]) with ordinality r (id, position)
      join notifications n on n.account_id = (${authorIds}::bigint[])[1 + r.position % ${authorIds.length}::int]
    order by r.id, n.id`.execute(db)
}

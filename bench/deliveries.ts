import { fork } from 'node:child_process'
import { once } from 'node:events'
import { generateKeyPairSync, sign } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { openApp, startEffects } from '../src/app.ts'
import type { Ctx } from '../src/domain/context.ts'
import { postStatus } from '../src/domain/statuses/post.ts'
import { readConfig } from '../src/platform/config.ts'
import { createPool } from '../src/platform/db/connect.ts'
import { startEmbedded } from '../src/platform/db/embedded.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { createLog } from '../src/platform/log.ts'
import { createPerson } from '../test/create-person.ts'

/**
 * How many deliveries leave in a second: somebody with a follower on each of many hosts posts, until every host has
 * everything. Server, database and the hosts share this machine. Beside it the limit: how many signatures the same
 * processors make. `node bench/deliveries.ts [hosts] [posts]`
 */
const HOSTS = Number(process.argv[2] ?? 1_000)
const POSTS = Number(process.argv[3] ?? 20)
const SIGN_SECONDS = 3

/** So many in a second, and what each costs this process. */
interface Figures {
  perSecond: number
  cpuMicros: number
}

/** RSA signatures alone, on as many threads as the deliveries have. */
async function measureSigning(): Promise<Figures> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signAside = promisify<string, Buffer, typeof privateKey, Buffer>(sign)
  const text = Buffer.from('(request-target): post /inbox\nhost: h1.bench.test\n'.repeat(4))
  const end = performance.now() + SIGN_SECONDS * 1_000
  const cpu = process.cpuUsage()
  let count = 0
  const work = async () => {
    while (performance.now() < end) {
      await signAside('sha256', text, privateKey)
      count += 1
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  const { user, system } = process.cpuUsage(cpu)
  return { perSecond: count / SIGN_SECONDS, cpuMicros: (user + system) / count }
}

async function bringFollowers(ctx: Ctx, accountId: string): Promise<void> {
  await sql`
    with made as (
      insert into accounts (username, domain, uri, url, inbox_url, shared_inbox_url)
      select 'fan', host, 'https://' || host || '/users/fan', '', 'https://' || host || '/users/fan/inbox',
        'https://' || host || '/inbox'
      from (select 'h' || n || '.bench.test' as host from generate_series(1, ${HOSTS}::int) n) hosts returning id
    )
    insert into follows (account_id, target_account_id) select id, ${accountId} from made`.execute(ctx.db)
  await sql`analyze`.execute(ctx.db)
}

/** Posts, and waits until everything was delivered. */
async function measure(ctx: Ctx, { accountId, posts }: { accountId: string; posts: number }): Promise<Figures> {
  const draft = { text: 'A post of usual length, with nothing in it that is special. '.repeat(4), spoilerText: '' }
  const start = performance.now()
  const cpu = process.cpuUsage()
  for (let n = 0; n < posts; n += 1) {
    await ctx.write((tx) =>
      postStatus(tx, { accountId, applicationId: null, draft: { ...draft, mediaIds: [], localOnly: false } }),
    )
  }
  const wanted = posts * HOSTS
  for (;;) {
    const { rows } = await sql<{ done: number }>`
      select count(*)::int as done from deliveries where state = 'delivered'`.execute(ctx.db)
    if (rows[0]!.done >= wanted) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const seconds = (performance.now() - start) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  await sql`delete from sent_activities`.execute(ctx.db)
  return { perSecond: wanted / seconds, cpuMicros: (user + system) / wanted }
}

const sink = fork(new URL('./sink.ts', import.meta.url))
const [{ port, ca }] = (await once(sink, 'message')) as [{ port: number; ca: string }]
const dataDir = await mkdtemp(join(tmpdir(), 'linnet-bench-'))
const log = createLog('error')
const database = await startEmbedded({ dataDir, log })
const pool = createPool(database.connection, { max: 2, onError: () => {} })
await migrate(pool)
await pool.end()
const config = readConfig({
  DATA_DIR: dataDir,
  LOCAL_DOMAIN: 'linnet.test',
  LOG_LEVEL: 'error',
  ALLOWED_PRIVATE_ADDRESSES: '127.0.0.1/32',
  LINNET_TEST_HOSTS: Array.from({ length: HOSTS }, (_, n) => `h${n + 1}.bench.test=127.0.0.1:${port}`).join(','),
})
const app = await openApp(config, { connection: database.connection, log, extraCa: ca })
const { ctx } = app
const { accountId } = await createPerson(ctx, { username: 'alice' })
await bringFollowers(ctx, accountId)
const worker = await startEffects(app)
try {
  const limit = await measureSigning()
  const cold = await measure(ctx, { accountId, posts: 1 })
  const warm = await measure(ctx, { accountId, posts: 1 })
  const many = await measure(ctx, { accountId, posts: POSTS })
  const tell = (name: string, { perSecond, cpuMicros }: Figures) => {
    const shares = [perSecond / limit.perSecond, limit.cpuMicros / cpuMicros].map(
      (share) => `${(100 * share).toFixed(0)} %`,
    )
    console.log(
      `${name.padEnd(36)} ${perSecond.toFixed(0).padStart(6)}/s, ${cpuMicros.toFixed(0).padStart(5)} µs of processor each: ` +
        `${shares[0]} of the limit by the clock, ${shares[1]} by processor`,
    )
  }
  tell('signatures alone (the limit)', limit)
  tell(`1 post to ${HOSTS} hosts, the first`, cold)
  tell(`1 post to ${HOSTS} hosts`, warm)
  tell(`${POSTS} posts to ${HOSTS} hosts`, many)
} finally {
  await worker.stop()
  await app.close()
  await database.stop()
  sink.disconnect()
  await rm(dataDir, { recursive: true, force: true })
}

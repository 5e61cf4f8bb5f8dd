// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { hashSecret, generateSecret } from '../../src/lib/secrets.ts'
import { createUsers } from '../servers/create-users.ts'
import { createUser } from '../servers/create-user.ts'
import { eventually } from '../servers/linnet-process.ts'
import { cloneDatabase } from '../services/database/test-database.ts'
import { StreamClient } from './support/stream-client.ts'
import { createServerProcess } from './support/server-process.ts'

const USERS = 100
/** The maximum of one user. */
const SOCKETS_EACH = 20

/** The limit of the server's heap. */
const HEAP_MB = 160

test(`F25 ${USERS * SOCKETS_EACH} sockets that reconnect at once after a restart are all accepted and receive the next post`, async (t) => {
  const database = await cloneDatabase()
  const rig = await createServerProcess({
    connection: database.connection,
    env: { NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}` },
  })
  await rig.start()
  const { app, close } = await rig.open()
  t.after(async () => {
    await close()
    await rig.close()
    await database.drop()
  })
  const { ctx } = app
  const author = await createUser(ctx, { username: 'author' })
  const crowd = await createUsers(ctx, { prefix: 'app', count: USERS })
  const tokens = crowd.map(() => generateSecret())
  await sql`
    insert into access_tokens (token_hash, user_id, scopes)
    select t.hash, u.id, '{read}' from unnest(${crowd}::bigint[], ${tokens.map(hashSecret)}::bytea[]) t (id, hash)
      join users u on u.account_id = t.id`.execute(ctx.db)
  await sql`
    insert into follows (account_id, target_account_id)
    select id, ${author.accountId} from unnest(${crowd}::bigint[]) id`.execute(ctx.db)

  const apps = tokens.flatMap((token) =>
    Array.from({ length: SOCKETS_EACH }, () => new StreamClient({ origin: rig.origin, token })),
  )
  t.after(() => apps.forEach((one) => one.stop()))
  const post = async () => {
    const response = await fetch(`${rig.origin}/api/v1/statuses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'Is the stream open?' }),
    })
    assert.equal(response.status, 200)
    return ((await response.json()) as { id: string }).id
  }
  const waitUntilOpened = (times: number) =>
    eventually(async () => assert.equal(apps.filter(({ opened }) => opened === times).length, apps.length))
  const waitUntilReceived = (ids: string[]) =>
    eventually(async () => assert.ok(apps.every(({ receivedIds }) => receivedIds.join() === ids.join())))

  await waitUntilOpened(1)
  const first = await post()
  await waitUntilReceived([first])
  await rig.kill()
  const start = performance.now()
  await rig.start()
  const startMs = performance.now() - start
  await waitUntilOpened(2)
  const reconnectedMs = performance.now() - start
  await waitUntilReceived([first, await post()])
  t.diagnostic(
    `all sockets were open again after ${(reconnectedMs / 1000).toFixed(1)} s, of which the start took ${(startMs / 1000).toFixed(1)}`,
  )
})

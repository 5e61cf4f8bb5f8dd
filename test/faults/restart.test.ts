// Slow: starts servers, and kills or stops them under load.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { hashSecret, makeSecret } from '../../src/lib/secrets.ts'
import { createCrowd } from '../create-crowd.ts'
import { createPerson } from '../create-person.ts'
import { eventually } from '../linnet.ts'
import { cloneDatabase } from '../postgres.ts'
import { App } from './app.ts'
import { createRig } from './rig.ts'

const PEOPLE = 100
/** As many as a person may have. */
const SOCKETS_EACH = 20

/** The server may not use more for all that it keeps of its own, at any time. */
const HEAP_MB = 160

test(`F25 ${PEOPLE * SOCKETS_EACH} sockets that come back at once after a restart are all let in, and hear what comes next`, async (t) => {
  const database = await cloneDatabase()
  const rig = await createRig({
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
  const author = await createPerson(ctx, { username: 'author' })
  const crowd = await createCrowd(ctx, { prefix: 'app', count: PEOPLE })
  const tokens = crowd.map(() => makeSecret())
  await sql`
    insert into access_tokens (token_hash, user_id, scopes)
    select t.hash, u.id, '{read}' from unnest(${crowd}::bigint[], ${tokens.map(hashSecret)}::bytea[]) t (id, hash)
      join users u on u.account_id = t.id`.execute(ctx.db)
  await sql`
    insert into follows (account_id, target_account_id)
    select id, ${author.accountId} from unnest(${crowd}::bigint[]) id`.execute(ctx.db)

  const apps = tokens.flatMap((token) =>
    Array.from({ length: SOCKETS_EACH }, () => new App({ origin: rig.origin, token })),
  )
  t.after(() => apps.forEach((one) => one.stop()))
  const post = async () => {
    const response = await fetch(`${rig.origin}/api/v1/statuses`, {
      method: 'POST',
      headers: { authorization: `Bearer ${author.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'Is everybody here?' }),
    })
    assert.equal(response.status, 200)
    return ((await response.json()) as { id: string }).id
  }
  const areOpen = (times: number) =>
    eventually(async () => assert.equal(apps.filter(({ opened }) => opened === times).length, apps.length))
  const haveHeard = (ids: string[]) =>
    eventually(async () => assert.ok(apps.every(({ heard }) => heard.join() === ids.join())))

  await areOpen(1)
  const first = await post()
  await haveHeard([first])
  await rig.kill()
  const start = performance.now()
  await rig.start()
  const startMs = performance.now() - start
  await areOpen(2)
  const backMs = performance.now() - start
  await haveHeard([first, await post()])
  t.diagnostic(
    `all were back after ${(backMs / 1000).toFixed(1)} s, of which the start took ${(startMs / 1000).toFixed(1)}`,
  )
})

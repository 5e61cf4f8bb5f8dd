import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { WebSocket } from 'ws'
import { hashSecret, makeSecret } from '../../src/lib/secrets.ts'
import { createCrowd } from '../create-crowd.ts'
import { createPerson } from '../create-person.ts'
import { eventually } from '../linnet.ts'
import { cloneDatabase } from '../postgres.ts'
import { createRig } from './rig.ts'

const PEOPLE = 100
/** As many as a person may have. */
const SOCKETS_EACH = 20

/** The server may not use more for all that it keeps of its own, at any time. */
const HEAP_MB = 160

/** An app that is never without a socket for long. */
class App {
  readonly heard: string[] = []
  #socket: WebSocket | null = null
  #stopped = false
  opened = 0
  readonly #url: string
  readonly #token: string

  constructor({ origin, token }: { origin: string; token: string }) {
    this.#url = `${origin.replace('http', 'ws')}/api/v1/streaming?stream=user`
    this.#token = token
    void this.#stayOpen()
  }

  stop(): void {
    this.#stopped = true
    this.#socket?.terminate()
  }

  async #stayOpen(): Promise<void> {
    while (!this.#stopped) {
      const socket = new WebSocket(this.#url, { headers: { authorization: `Bearer ${this.#token}` } })
      this.#socket = socket
      // What breaks it also closes it.
      socket.on('error', () => {})
      socket.on('open', () => (this.opened += 1))
      socket.on('message', (data: Buffer) => {
        const { event, payload } = JSON.parse(data.toString()) as { event: string; payload: string }
        if (event === 'update') this.heard.push((JSON.parse(payload) as { id: string }).id)
      })
      await new Promise((resolve) => socket.once('close', resolve))
      await wait(Math.random() * 500)
    }
  }
}

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

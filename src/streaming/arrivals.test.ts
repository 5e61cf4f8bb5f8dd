import { after, test } from 'node:test'
import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { captureQueries, countQueries } from '../../test/count-queries.ts'
import { openSocket, until } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'

const ARRIVING = 150

const world = await openWorld({ effects: false })
const { db } = world.ctx
after(world.close)
const address = await world.listen()

const isLook = (text: string) => text.includes('changes_since')

async function countConnections(): Promise<number> {
  return new Promise((resolve, reject) =>
    world.server.server.getConnections((err, count) => (err ? reject(err) : resolve(count))),
  )
}

/** Locks a table until what is done meanwhile is done; resolves when everybody who wants in has come. */
async function holdUp(table: string, work: () => Promise<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx)
    await work()
  })
}

test('F25 all who come at once are looked up by a few statements, and take no connection from others', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, async () => world.createPerson()))
  const tokens = Array.from({ length: ARRIVING }, (_, n) => people[n % people.length]!.token)
  const open = async () => Promise.all(tokens.map(async (token) => openSocket(address, { token, stream: 'user' })))
  let opening: ReturnType<typeof open> | undefined
  const texts = await captureQueries(async () => {
    await holdUp('access_tokens', async () => {
      opening = open()
      await until(async () => (await countConnections()) >= ARRIVING, 'everybody')
      assert.equal((await world.anonymous.get('/api/v2/instance')).status, 200)
      const { rows } = await sql`
        select from pg_locks where not granted and relation = 'access_tokens'::regclass`.execute(db)
      assert.equal(rows.length, 1)
    })
    await opening
  })
  // Nothing holds up the looks for what has changed, so there are as many as there are moments in which somebody comes.
  const [looks, others] = [texts.filter(isLook), texts.filter((text) => !isLook(text))]
  assert.ok(looks.length <= ARRIVING + 1, `${looks.length} looks`)
  // Tokens that were not used today are touched, and the people, each time for a whole batch.
  assert.ok(others.length < 40, `${others.length} statements`)
  for (const { ws } of await opening!) ws.terminate()
})

test('F25 the lists that they come back to are looked up together, too', async () => {
  const owner = await world.createPerson()
  const { body: list } = await owner.client.post('/api/v1/lists', { title: 'L' })
  const sockets = await Promise.all(Array.from({ length: 20 }, async () => openSocket(address, { token: owner.token })))
  const cost = await countQueries(async () => {
    await holdUp('lists', async () => {
      await Promise.all(
        sockets.map(async ({ send, subscribe }) => {
          send({ type: 'subscribe', stream: 'list', list: list.id })
          // One after the other: when there turns out to be no such list, the other one is heard.
          send({ type: 'subscribe', stream: 'list', list: '404' })
          await subscribe()
        }),
      )
    })
    await until(() => sockets.every(({ errors }) => errors.length > 0), 'the end')
  })
  assert.ok(cost < 10, `${cost} statements`)
  for (const { ws } of sockets) ws.terminate()
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { countQueries } from './count-queries.ts'
import { letAll, openForgetful } from './forgetful.ts'
import { DEEDS, Village } from './village.ts'
import type { Deed } from './village.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
const beside = await openForgetful(world)
after(async () => {
  await beside.close()
  await world.close()
})
letAll(world)
await sql`insert into custom_emojis (shortcode, image_key) values ('blob', 'blob.png')`.execute(world.ctx.db)

const PEOPLE = 4
const person = fc.nat({ max: PEOPLE - 1 })
const OFTEN = 'post,post,post,reply,quote,ask,boost,boost,follow,follow,follow,favourite,vote,hear a stranger'.split(
  ',',
)
const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.record({
    name: fc.oneof(fc.constantFrom(...OFTEN), fc.constantFrom(...Object.keys(DEEDS))),
    from: person,
    to: person,
    // What was written lately is looked at, boosted and deleted most.
    pick: fc.nat({ max: 11 }),
    beside: fc.boolean(),
  }),
  { minLength: 50, maxLength: 50 },
)
const beginning: Deed[] = Array.from({ length: PEOPLE * PEOPLE }, (_, n) => ({
  name: n % 5 === 0 ? 'post' : 'follow',
  from: Math.floor(n / PEOPLE),
  to: n % PEOPLE,
  pick: 0,
  beside: false,
}))

interface Page {
  token: string | undefined
  url: string
}

function pagesOf({ people, statuses, strangerId }: Village, { to, pick }: Deed): Page[] {
  const list = (ids: string[]) => ids.map((id) => `id[]=${id}`).join('&')
  const newest = statuses.slice(-20).map(({ id }) => id)
  const accounts = [...people.map(({ accountId }) => accountId), strangerId]
  const shared = [
    `/api/v1/statuses?${list(newest)}`,
    `/api/v1/accounts?${list(accounts)}`,
    `/api/v1/accounts/${people[to]!.accountId}/statuses?limit=40`,
    ...newest
      .slice(-1 - (pick % (newest.length || 1)))
      .slice(0, 1)
      .map((id) => `/api/v1/statuses/${id}/context`),
  ]
  const own = ({ listId }: Village['people'][number]) => [
    '/api/v1/timelines/home?limit=40',
    `/api/v1/timelines/list/${listId}?limit=40`,
    '/api/v1/notifications?limit=20',
  ]
  return [
    ...shared.map((url) => ({ token: undefined, url })),
    ...people.flatMap((one) => [...own(one), ...shared].map((url) => ({ token: one.tokens.at(-1), url }))),
    // Whoever has been shut out stays outside.
    ...people.flatMap(({ tokens }) =>
      tokens.slice(-2, -1).map((token) => ({ token, url: '/api/v1/accounts/verify_credentials' })),
    ),
  ]
}

const read = (server: FastifyInstance, pages: Page[]) =>
  Promise.all(
    pages.map(async ({ token, url }) => {
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const { statusCode, body } = await server.inject({ url, headers })
      return `${statusCode} ${body}`
    }),
  )

const told = ({ name, from, to, pick }: Deed) => `${name} (${from} → ${to}, ${pick})`

test('after any deed every page is byte for byte what a server shows that keeps nothing', async () => {
  await fc.assert(
    fc.asyncProperty(deeds, async (history) => {
      const village = await Village.open({ world, beside }, { size: PEOPLE })
      const done: string[] = []
      for (const deed of [...beginning, ...history]) {
        await village.do(deed)
        done.push(told(deed))
        if (done.length < beginning.length) continue
        const pages = pagesOf(village, deed)
        beside.forget()
        const kept = await read(world.server, pages)
        const fresh = await read(beside.server, pages)
        const stale = pages.findIndex((_, n) => kept[n] !== fresh[n])
        const { token, url } = pages[stale] ?? {}
        const viewer = village.people.findIndex(({ tokens }) => tokens.includes(token ?? ''))
        assert.equal(kept[stale], fresh[stale], `${url} as ${viewer} sees it after ${done.slice(-6).join(', ')}`)
      }
    }),
    // A history takes seconds, so one that fails is told as it is.
    { numRuns: 4, endOnFailure: true },
  )
})

test('a server that has forgotten everything asks the database again, and one that has not does not', async () => {
  const { token } = await world.createPerson()
  const page = [{ token, url: '/api/v1/timelines/home' }]
  const ask = (server: FastifyInstance) => countQueries(() => read(server, page))
  // The first time it is noted that they were here.
  for (let n = 0; n < 2; n += 1) await ask(beside.server)
  const warm = await ask(beside.server)
  beside.forget()
  assert.ok((await ask(beside.server)) > warm)
})

// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { countQueries } from './count-queries.ts'
import { eventually } from './linnet.ts'
import { letAll, openForgetful } from './forgetful.ts'
import { DEEDS, Village } from './village.ts'
import type { Deed } from './village.ts'
import { ask } from './polls.ts'
import { openWorld } from './world.ts'

const world = await openWorld()
const beside = await openForgetful(world)
after(async () => {
  await beside.close()
  await world.close()
})
letAll(world)
await sql`insert into custom_emojis (shortcode, image_key) values ('blob', 'blob.png')`.execute(world.ctx.db)

const PEOPLE = 3
const person = fc.nat({ max: PEOPLE - 1 })
const WRITING = ['post', 'post to followers', 'mention', 'reply', 'quote', 'ask', 'boost', 'hear a stranger']
const DOING = ['favourite', 'bookmark', 'vote', 'follow', 'follow a stranger', 'edit', 'let quote']
const HIDING = [
  'unfollow',
  'let go of a follower',
  'mute',
  'block',
  'block a domain',
  'suspend',
  'delete',
  'lose mentions',
]

const deedOf = (names: readonly string[]): fc.Arbitrary<Deed> =>
  fc.record({
    name: fc.constantFrom(...names),
    from: person,
    to: person,
    // What was written lately is looked at, boosted and deleted most.
    pick: fc.nat({ max: 11 }),
    beside: fc.boolean(),
  })
const some = deedOf([...WRITING, ...DOING, ...HIDING, ...Object.keys(DEEDS)]).map((deed) => [deed])
// Somebody writes, somebody else has enough of it, and a feed gets it nevertheless.
const quarrel = fc
  .tuple(deedOf(WRITING), deedOf(HIDING), deedOf(['fill all feeds']))
  .map(([writing, hiding, filling]) => [{ ...writing, from: hiding.to, to: hiding.from }, hiding, filling])
const deeds = fc
  .array(fc.oneof({ weight: 6, arbitrary: some }, { weight: 1, arbitrary: quarrel }), { minLength: 40, maxLength: 40 })
  .map((parts) => parts.flat())
const beginning: Deed[] = Array.from({ length: PEOPLE * PEOPLE }, (_, n) => ({
  name: n % (PEOPLE + 1) === 0 ? 'post' : 'follow',
  from: Math.floor(n / PEOPLE),
  to: n % PEOPLE,
  pick: 0,
  beside: false,
}))

interface Page {
  token: string | undefined
  url: string
}

function pagesOf({ people, statuses, strangerId }: Village, { from, to, pick }: Deed): Page[] {
  const list = (ids: string[]) => ids.map((id) => `id[]=${id}`).join('&')
  const newest = statuses.slice(-20).map(({ id }) => id)
  const accounts = [...people.map(({ accountId }) => accountId), strangerId]
  const context = newest.at(-1 - (pick % (newest.length || 1)))
  const some = [
    `/api/v1/accounts?${list(accounts)}`,
    `/api/v1/accounts/${people[to]!.accountId}/statuses?limit=40`,
    ...(context === undefined ? [] : [`/api/v1/statuses/${context}/context`]),
  ]
  const all = `/api/v1/statuses?${list(newest)}`
  const of = (n: number, ...urls: string[]) => urls.map((url) => ({ token: people[n]!.tokens.at(-1), url }))
  return [
    ...[all, ...some].map((url) => ({ token: undefined, url })),
    ...people.flatMap(({ listId }, n) =>
      of(
        n,
        all,
        '/api/v1/timelines/home?limit=40',
        `/api/v1/timelines/list/${listId}?limit=40`,
        '/api/v1/notifications?limit=40',
      ),
    ),
    ...of(from, ...some),
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
      let pages: Page[] = []
      for (const deed of [...beginning, ...history]) {
        // Whoever reads meanwhile may keep what they find, but nothing that is older than the deed.
        await Promise.all([village.do(deed), read(world.server, pages)])
        done.push(told(deed))
        if (done.length < beginning.length) continue
        pages = pagesOf(village, deed)
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

test('a poll and a mute end by the clock alone', async () => {
  const [author, reader] = [await world.createPerson(), await world.createPerson()]
  await reader.client.post(`/api/v1/accounts/${author.accountId}/follow`)
  const { id, poll } = await ask(author)
  await world.settle()
  const home = async () => (await reader.client.get('/api/v1/timelines/home')).body
  assert.equal((await home())[0].poll.expired, false)
  const soon = sql`clock_timestamp() + interval '200 milliseconds'`
  await sql`update polls set expires_at = ${soon} where id = ${poll.id}`.execute(world.ctx.db)
  await eventually(async () => assert.equal((await home())[0].poll.expired, true))

  await reader.client.post(`/api/v1/accounts/${author.accountId}/mute`, { duration: 3_600 })
  await world.settle()
  await sql`insert into feed_entries (account_id, status_id, original_id) values (${reader.accountId}, ${id}, ${id})
    on conflict do nothing`.execute(world.ctx.db)
  assert.deepEqual(await home(), [])
  await sql`update mutes set expires_at = ${soon} where account_id = ${reader.accountId}`.execute(world.ctx.db)
  await eventually(async () => assert.equal((await home()).length, 1))
})

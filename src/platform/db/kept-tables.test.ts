import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { captureQueries } from '../../../test/count-queries.ts'
import { letAll, openForgetful } from '../../../test/forgetful.ts'
import { DEEDS, Village } from '../../../test/village.ts'
import { openWorld } from '../../../test/world.ts'

const world = await openWorld()
const beside = await openForgetful(world)
// A plan for no values in particular is told to those alone who prepare nothing.
const client = new pg.Client(world.connection)
await client.connect()
after(async () => {
  await client.end()
  await beside.close()
  await world.close()
})
letAll(world)
const { db } = world.ctx

const STATUS = 'kept by the version of the status, which whoever changes them raises'
const CARD = 'kept by the version of the status, which is raised when its card says something else'
const FILTERS = 'kept by the version of the filters of a person, which is asked with what they did'

/** Tables that do not tell, though answers from them are kept, and why that is right. */
const UNTOLD: Record<string, string> = {
  media_attachments: STATUS,
  status_tags: STATUS,
  tags: 'only their names are kept, which stay',
  status_links: CARD,
  preview_cards: CARD,
  preview_card_authors: CARD,
  notifications: 'what is kept of them stays as it was written; which there are is asked each time',
  filters: FILTERS,
  filter_keywords: FILTERS,
  filter_statuses: FILTERS,
}

/** Some of those that do, so that something is judged. */
const EXPECTED = 'access_tokens account_stats blocks custom_emojis favourites mentions mutes polls statuses users'

async function tablesOf(texts: readonly string[]): Promise<string[]> {
  const plans: string[] = []
  for (const text of new Set(texts)) {
    const { rows } = await client.query(`explain (generic_plan, format json) ${text}`)
    plans.push(JSON.stringify(rows))
  }
  return plans.flatMap((plan) => [...plan.matchAll(/"Relation Name":"(\w+)"/g)].map(([, name]) => name!))
}

test('every table that a kept answer is made of tells when something in it changes', async () => {
  await sql`insert into custom_emojis (shortcode, image_key) values ('blob', 'blob.png')`.execute(db)
  const village = await Village.open({ world, beside }, { size: 2 })
  const [me, you] = village.people as [Village['people'][number], Village['people'][number]]
  const deed = { from: 0, to: 1, pick: 0, beside: false }
  for (const name of ['follow', 'post', 'mention', 'ask', 'filter', 'hear a stranger']) {
    assert.ok(DEEDS[name])
    await village.do({ ...deed, name })
    await village.do({ ...deed, name, from: 1, to: 0 })
  }
  for (const name of ['quote', 'boost', 'favourite', 'vote', 'pin', 'fill all feeds'])
    await village.do({ ...deed, name })
  const ids = village.statuses.map(({ id }) => `id[]=${id}`).join('&')
  const urls = [
    '/api/v1/timelines/home?limit=40',
    `/api/v1/timelines/list/${me.listId}`,
    '/api/v1/notifications',
    `/api/v1/statuses?${ids}`,
    `/api/v1/accounts?id[]=${you.accountId}&id[]=${village.strangerId}`,
    `/api/v1/accounts/${me.accountId}/statuses`,
    `/api/v1/statuses/${village.statuses.at(-1)!.id}/context`,
  ]
  const readAll = async () => {
    for (const url of urls) {
      const { statusCode } = await beside.server.inject({ url, headers: { authorization: `Bearer ${me.token}` } })
      assert.equal(statusCode, 200, url)
    }
  }
  await readAll()
  beside.forget()
  const first = await captureQueries(readAll)
  const again = new Set(await captureQueries(readAll))
  // What is asked only once is kept.
  const kept = first.filter((text) => /^\s*(select|with)/i.test(text) && !again.has(text))
  const tables = new Set(await tablesOf(kept))
  const { rows } = await sql<{ name: string }>`
    select distinct tgrelid::regclass::text as name from pg_trigger where tgname like 'tell\\_%'`.execute(db)
  const telling = new Set(rows.map(({ name }) => name))
  assert.deepEqual(
    [...tables].filter((name) => !telling.has(name)).toSorted(),
    Object.keys(UNTOLD).toSorted(),
    'such a table gets a row in INVALIDATION_SOURCES of the migrations, or a reason here',
  )
  for (const name of EXPECTED.split(' ')) assert.ok(tables.has(name), name)
})

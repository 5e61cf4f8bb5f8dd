import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { openCards } from '../../../../test/cards.ts'
import type { Client } from '../../../../test/client.ts'
import { openFediverse } from '../../../../test/fediverse.ts'
import { ENOUGH, openTrending } from '../../../../test/trending.ts'
import { assertOnWire } from '../../../../test/wire.ts'
import { approveTrend, findJudged, rejectTrend } from '../../../domain/trends/judge.ts'
import type { TrendKind } from '../../../domain/trends/judge.ts'
import type { TrendsLink } from '../../../entities/card.ts'

let aheadMs = 0
const fediverse = await openFediverse({
  hosts: ['news.test', 'blog.test'],
  now: () => new Date(Date.now() + aheadMs),
})
after(fediverse.close)
const { world, peer } = fediverse
const { ctx } = world
const { people, measure, set, createFindable } = await openTrending(world)
const { serve, post } = openCards({ world, peer, host: 'news.test' })
const reader = await world.createPerson()

const PATH = '/api/v1/trends/links'
const list = async (client: Client = world.anonymous, language = 'en') => {
  aheadMs += 1_000
  const headers = { 'accept-language': language }
  const { status, body } = await client.send<TrendsLink[]>({ method: 'GET', url: PATH, headers })
  assert.equal(status, 200)
  return body
}
const titlesOf = async (...args: Parameters<typeof list>) => (await list(...args)).map(({ title }) => title)
const page = (title: string, { lang = 'en', host }: { lang?: string; host?: string } = {}) =>
  serve(`<html lang="${lang}"><title>${title}</title>`, host === undefined ? {} : { host })
/** Has so many people link to a page, the first of all. */
async function link(url: string, count = ENOUGH, more: object = {}): Promise<void> {
  for (const person of people.slice(0, count)) await post(person, `read ${url}`, more)
}
const judge = async (verb: typeof approveTrend, kind: TrendKind, name: string) =>
  ctx.write(async (tx) => verb(tx, { kind, id: await findJudged(tx, { kind, name }) }))
async function clear(): Promise<void> {
  await sql`delete from trending_links`.execute(ctx.db)
  await sql`delete from link_uses`.execute(ctx.db)
}

test('VI17 a page that many link to is shown once the staff lets it, or its publisher, with its true history', async () => {
  const [one, other, third] = [page('One'), page('Other', { host: 'blog.test' }), page('Third')]
  await link(one, 7)
  await post(people[0]!, `again ${one}#place`)
  await link(other, 6)
  await link(third, 5)
  await measure()
  assert.deepEqual(await titlesOf(), [])
  await judge(approveTrend, 'link', third)
  assert.deepEqual(await titlesOf(), ['Third'])
  await judge(approveTrend, 'publisher', 'news.test')
  assert.deepEqual(await titlesOf(), ['One', 'Third'])
  await set('trends-unreviewed', 'on')
  assert.deepEqual(await titlesOf(), ['One', 'Other', 'Third'])
  const [first] = await list(reader.client)
  assertOnWire('TrendsLink', first)
  const { url, type, history, missing_attribution: missing } = first!
  assert.deepEqual([url, type, missing], [one, 'link', false])
  assert.deepEqual([history.length, history[0]!.accounts, history[0]!.uses, history[1]!.uses], [7, '7', '8', '0'])
  await judge(rejectTrend, 'publisher', 'news.test')
  assert.deepEqual(await titlesOf(), ['Other', 'Third'])
  await judge(rejectTrend, 'link', third)
  assert.deepEqual(await titlesOf(), ['Other'])
  await judge(approveTrend, 'publisher', 'NEWS.test')
  assert.deepEqual(await titlesOf(), ['One', 'Other'])
  await set('trends', 'off')
  assert.deepEqual(await titlesOf(), [])
  await set('trends', 'on')
  await clear()
})

test('what leads to one page from several addresses counts together, each person once', async () => {
  const canonical = 'https://news.test/canonical'
  const html = `<html lang="en"><title>Same</title><link rel="canonical" href="${canonical}">`
  const [a, b] = [serve(html), serve(html)]
  await link(a, 4)
  await link(b, 4)
  await measure()
  assert.deepEqual(await titlesOf(), [])
  await post(people[6]!, b)
  await measure()
  const [found] = await list()
  assert.deepEqual([found?.url, found?.history[0]?.accounts, found?.history[0]?.uses], [canonical, '5', '9'])
  await clear()
})

test('VI17 nothing makes a page trend but public posts without a warning by people in good standing; nor one in no language', async () => {
  const [shy, warned, limited, mute] = [page('Shy'), page('Warned'), page('Limited'), page('Mute', { lang: '' })]
  await link(shy, 9, { visibility: 'unlisted' })
  await link(warned, 9, { spoiler_text: 'careful' })
  await link(warned, 9, { sensitive: true })
  await link(mute, 9)
  await link(limited, 4)
  const silenced = await createFindable()
  await sql`update accounts set silenced_at = now() where id = ${silenced.accountId}`.execute(ctx.db)
  await post(silenced, limited)
  await measure()
  assert.deepEqual(await titlesOf(), [])
  await clear()
})

test('first comes what the reader understands', async () => {
  await link(page('Deutsch', { lang: 'de-AT' }), 5)
  await link(page('English'), 6)
  await measure()
  assert.deepEqual(await titlesOf(), ['English', 'Deutsch'])
  assert.deepEqual(await titlesOf(world.anonymous, 'de-CH'), ['Deutsch', 'English'])
  await sql`update users set chosen_languages = '{de}' where id = ${reader.userId}`.execute(ctx.db)
  assert.deepEqual(await titlesOf(reader.client), ['Deutsch', 'English'])
  await sql`update users set chosen_languages = null where id = ${reader.userId}`.execute(ctx.db)
})

test('masto.js reads it, and what is said of a page that trends', async () => {
  const masto = createRestAPIClient({ url: await world.listen(), accessToken: reader.token })
  const [first] = await masto.v1.trends.links.list({ limit: 1 })
  assert.deepEqual([first?.title, first?.history?.[0]?.uses], ['English', '6'])
  const statuses = await masto.v1.timelines.link.list({ url: first!.url })
  assert.deepEqual(
    statuses.map(({ account }) => account.id),
    people
      .slice(0, 6)
      .map(({ accountId }) => accountId)
      .toReversed(),
  )
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { imageResponse, openCardServer } from '../../../../../test/features/cards.ts'
import type { Client } from '../../../../../test/http/client.ts'
import { limit } from '../../../../../test/features/moderation.ts'
import { openFediverse } from '../../../../../test/federation/fediverse.ts'
import { ENOUGH_ACCOUNTS, openTrendServer } from '../../../../../test/features/trends.ts'
import { assertEntity } from '../../../../../test/http/entities/entity-schemas.ts'
import { approveTrend, findTrendSubject, rejectTrend } from '../../../../domain/trends/review-trend.ts'
import type { TrendKind } from '../../../../domain/trends/review-trend.ts'
import type { TrendsLink } from '../../../../entities/statuses/card.ts'

let aheadMs = 0
const fediverse = await openFediverse({
  hosts: ['news.test', 'blog.test'],
  now: () => new Date(Date.now() + aheadMs),
})
after(fediverse.close)
const { testServer, peer } = fediverse
const { ctx } = testServer
const { users, measure, set, createFindable } = await openTrendServer(testServer)
const { serve, serveAt, post } = openCardServer({ testServer, peer, host: 'news.test' })
const image = serveAt('https://news.test/cover.png', await imageResponse({ width: 64, height: 36 }))
const reader = await testServer.createUser()

const PATH = '/api/v1/trends/links'
const list = async (client: Client = testServer.anonymous, language = 'en') => {
  aheadMs += 1_000
  const headers = { 'accept-language': language }
  const { status, body } = await client.send<TrendsLink[]>({ method: 'GET', url: PATH, headers })
  assert.equal(status, 200)
  return body
}
const titlesOf = async (...args: Parameters<typeof list>) => (await list(...args)).map(({ title }) => title)
const page = (title: string, { lang = 'en', host, more = '' }: { lang?: string; host?: string; more?: string } = {}) =>
  serve(
    `<html lang="${lang}"><title>${title}</title><meta property="og:image" content="${image}">${more}`,
    host === undefined ? {} : { host },
  )
/** Lets the first `count` users post a link to a page. */
async function link(url: string, count = ENOUGH_ACCOUNTS, more: object = {}): Promise<void> {
  for (const user of users.slice(0, count)) await post(user, `read ${url}`, more)
}
const review = async (operation: typeof approveTrend, kind: TrendKind, name: string) =>
  ctx.write(async (tx) => operation(tx, { kind, id: await findTrendSubject(tx, { kind, name }), by: null }))
async function clear(): Promise<void> {
  await sql`delete from trending_links`.execute(ctx.db)
  await sql`delete from preview_link_uses`.execute(ctx.db)
}

test('VI17 a link trends once staff approve it or its publisher, with its history', async () => {
  const [first, second, third] = [page('One'), page('Other', { host: 'blog.test' }), page('Third')]
  await link(first, 7)
  await post(users[0]!, `again ${first}#place`)
  await link(second, 6)
  await link(third, 5)
  await measure()
  assert.deepEqual(await titlesOf(), [])
  await review(approveTrend, 'link', third)
  assert.deepEqual(await titlesOf(), ['Third'])
  await review(approveTrend, 'publisher', 'news.test')
  assert.deepEqual(await titlesOf(), ['One', 'Third'])
  await set('trends-unreviewed', 'on')
  assert.deepEqual(await titlesOf(), ['One', 'Other', 'Third'])
  const [trend] = await list(reader.client)
  assertEntity('TrendsLink', trend)
  const { url, type, history, missing_attribution: missing } = trend!
  assert.deepEqual([url, type, missing], [first, 'link', false])
  assert.ok(trend!.image && trend!.blurhash)
  assert.deepEqual([history.length, history[0]!.accounts, history[0]!.uses, history[1]!.uses], [7, '7', '8', '0'])
  await review(rejectTrend, 'publisher', 'news.test')
  assert.deepEqual(await titlesOf(), ['Other', 'Third'])
  await review(rejectTrend, 'link', third)
  assert.deepEqual(await titlesOf(), ['Other'])
  await review(approveTrend, 'publisher', 'NEWS.test')
  assert.deepEqual(await titlesOf(), ['One', 'Other'])
  await set('trends', 'off')
  assert.deepEqual(await titlesOf(), [])
  await set('trends', 'on')
  await clear()
})

test('URLs with the same canonical URL count together, each account once', async () => {
  const canonical = 'https://news.test/canonical'
  const more = `<link rel="canonical" href="${canonical}">`
  const [a, b] = [page('Same', { more }), page('Same', { more })]
  await link(a, 4)
  await link(b, 4)
  await measure()
  assert.deepEqual(await titlesOf(), [])
  await post(users[6]!, b)
  await measure()
  const [found] = await list()
  assert.deepEqual([found?.url, found?.history[0]?.accounts, found?.history[0]?.uses], [canonical, '5', '9'])
  await clear()
})

test('VI17 only public posts without a warning of accounts in good standing count; links need a language and an image', async () => {
  const [unlisted, warned, limited, withoutLanguage, withoutImage] = [
    page('Unlisted'),
    page('Warned'),
    page('Limited'),
    page('Without language', { lang: '' }),
    serve('<html lang="en"><title>Without image</title>'),
  ]
  await link(unlisted, 9, { visibility: 'unlisted' })
  await link(warned, 9, { spoiler_text: 'careful' })
  await link(warned, 9, { sensitive: true })
  await link(withoutLanguage, 9)
  await link(withoutImage, 9)
  await link(limited, 4)
  const silenced = await createFindable()
  await limit(ctx, silenced)
  await post(silenced, limited)
  await measure()
  assert.deepEqual(await titlesOf(), [])
  await clear()
})

test('links in the languages of the reader come first', async () => {
  await link(page('Deutsch', { lang: 'de-AT' }), 5)
  await link(page('English'), 6)
  await measure()
  assert.deepEqual(await titlesOf(), ['English', 'Deutsch'])
  assert.deepEqual(await titlesOf(testServer.anonymous, 'de-CH'), ['Deutsch', 'English'])
  await sql`update users set chosen_languages = '{de}' where id = ${reader.userId}`.execute(ctx.db)
  assert.deepEqual(await titlesOf(reader.client), ['Deutsch', 'English'])
  await sql`update users set chosen_languages = null where id = ${reader.userId}`.execute(ctx.db)
})

test('masto.js reads trending links and the link timeline', async () => {
  const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: reader.token })
  const [first] = await masto.v1.trends.links.list({ limit: 1 })
  assert.deepEqual([first?.title, first?.history?.[0]?.uses], ['English', '6'])
  const statuses = await masto.v1.timelines.link.list({ url: first!.url })
  assert.deepEqual(
    statuses.map(({ account }) => account.id),
    users
      .slice(0, 6)
      .map(({ accountId }) => accountId)
      .toReversed(),
  )
})

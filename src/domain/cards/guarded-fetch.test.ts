import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openCardServer } from '../../../test/features/cards.ts'
import { makeJobsDue } from '../../../test/jobs/make-jobs-due.ts'
import { blockDomainAsStaff } from '../../../test/features/moderation.ts'
import { openPeer } from '../../../test/federation/peer/open-peer.ts'
import { until } from '../../../test/streaming/streams.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { FetchFailedError, FetchRefusedError } from '../../platform/fetch/fetch-errors.ts'

const peer = await openPeer({ hosts: ['site.test', 'quick.test'] })
const testServer = await openTestServer({ env: peer.env, extraCa: peer.ca })
after(async () => {
  await testServer.close()
  await peer.close()
})
const site = peer.host('site.test')
const { serve, serveAt, requestsFor, cardOf, cardFor } = openCardServer({ testServer, peer, host: 'site.test' })
const alice = await testServer.createUser({ username: 'alice' })
const title = (text: string) => `<!doctype html><title>${text}</title>`

test('many slow pages of one host do not delay other hosts, and are all fetched eventually', async () => {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  site.behave(/^\/slow/, async ({ respond }) => {
    await released
    await respond()
  })
  const urls = Array.from({ length: 9 }, (_none, n) => serve(title('Slow'), { path: `/slow${n}` }))
  const posts = urls.map((url) => alice.client.post('/api/v1/statuses', { status: url }))
  const ids = (await Promise.all(posts)).map(({ body }) => body.id as string)
  await until(async () => {
    const { rows } = await sql`select 1 from jobs j where name = 'fetchCard'
      and locked_at is null and run_at > now() + interval '20 seconds'`.execute(testServer.ctx.db)
    return rows.length === 6
  }, 'the rest to wait')
  const quick = serve(title('Quick'), { host: 'quick.test' })
  const { body } = await alice.client.post('/api/v1/statuses', { status: quick })
  assert.equal(await until(async () => (await cardOf(body.id))?.title, 'the card of another host'), 'Quick')
  release()
  await testServer.waitForJobs()
  const shown = await Promise.all(ids.map((id) => cardOf(id)))
  assert.deepEqual(
    [shown.filter((card) => card !== null).length, urls.filter((url) => requestsFor(url) > 0).length],
    [3, 3],
  )
  while (urls.some((url) => requestsFor(url) === 0)) {
    await makeJobsDue(testServer.ctx, 'fetchCard')
    await testServer.waitForJobs()
  }
  site.recover()
  for (const id of ids) assert.equal((await cardOf(id))?.title, 'Slow')
  assert.deepEqual(new Set(urls.map(requestsFor)), new Set([1]))
})

test('no images are fetched from domains whose media are rejected', async () => {
  await blockDomainAsStaff(testServer.ctx, 'quick.test', { severity: 'noop', rejectMedia: true })
  const imageUrl = 'https://quick.test/picture.png'
  const card = await cardFor(alice, serve(`${title('Bare')}<meta property="og:image" content="${imageUrl}">`))
  assert.deepEqual([card?.title, card?.image, requestsFor(imageUrl)], ['Bare', null, 0])
})

test('FE4 pages, oEmbed resources and images are fetched with the guarded fetcher, which refuses private addresses', async () => {
  const guarded = await openTestServer({
    env: { LINNET_TEST_HOSTS: peer.env.LINNET_TEST_HOSTS, ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' },
    extraCa: peer.ca,
  })
  after(guarded.close)
  const mallory = await guarded.createUser({ username: 'mallory' })
  const refused: string[] = []
  const { open } = guarded.ctx.fetcher
  guarded.ctx.fetcher.open = async (input) =>
    open(input).catch((err: unknown) => {
      if (err instanceof FetchRefusedError) refused.push(input.url)
      else if (err instanceof FetchFailedError) refused.push(`failed, not refused: ${input.url}`)
      throw err
    })
  const privateUrls = [
    'https://[::1]/',
    'https://10.0.0.1/',
    'http://10.0.0.1/',
    'http://192.168.0.1:22/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:10.0.0.1]/',
    'http://0xa000002/',
    'https://100.64.0.1/',
  ]
  const postAndReadCard = async (status: string) => {
    const { body } = await mallory.client.post('/api/v1/statuses', { status })
    await guarded.waitForJobs()
    return (await mallory.client.get(`/api/v1/statuses/${body.id}`)).body.card
  }
  for (const url of privateUrls) assert.equal(await postAndReadCard(url), null)
  assert.deepEqual(
    refused,
    privateUrls.map((url) => new URL(url).href),
  )
  refused.length = 0
  const inner = 'https://10.0.0.1/x'
  const head = `<link rel="alternate" type="application/json+oembed" href="${inner}">
    <meta property="og:image" content="${inner}">`
  const card = await postAndReadCard(serve(title('Outside') + head))
  assert.deepEqual([card.title, card.image, refused], ['Outside', null, [inner, inner]])
  refused.length = 0
  const redirecting = serveAt('https://site.test/led', { status: 302, headers: { location: inner }, body: '' })
  assert.deepEqual([await postAndReadCard(redirecting), refused], [null, [redirecting]])
})

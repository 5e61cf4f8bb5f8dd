import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openCards } from '../../../test/cards.ts'
import { hasten } from '../../../test/hasten.ts'
import { openPeer } from '../../../test/peer.ts'
import { until } from '../../../test/streams.ts'
import { openWorld } from '../../../test/world.ts'
import { FetchFailed, FetchRefused } from '../../platform/fetch/refusals.ts'
import { everyJob } from '../../../test/every-job.ts'

const peer = await openPeer({ hosts: ['site.test', 'quick.test'] })
const world = await openWorld({ env: peer.env, extraCa: peer.ca })
after(async () => {
  await world.close()
  await peer.close()
})
const site = peer.host('site.test')
const { serve, serveAt, asked, cardOf, cardFor } = openCards({ world, peer, host: 'site.test' })
const alice = await world.createPerson({ username: 'alice' })
const title = (text: string) => `<!doctype html><title>${text}</title>`

test('many slow pages of a host leave room for others, and are looked at one after the other', async () => {
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  site.behave(/^\/slow/, async ({ respond }) => {
    await held
    await respond()
  })
  const urls = Array.from({ length: 9 }, (_none, n) => serve(title('Slow'), { path: `/slow${n}` }))
  const posts = urls.map((url) => alice.client.post('/api/v1/statuses', { status: url }))
  const ids = (await Promise.all(posts)).map(({ body }) => body.id as string)
  await until(async () => {
    const { rows } = await sql`select 1 from ${everyJob} j where name = 'fetchCard'
      and locked_at is null and run_at > now() + interval '20 seconds'`.execute(world.ctx.db)
    return rows.length === 6
  }, 'the rest to wait')
  const quick = serve(title('Quick'), { host: 'quick.test' })
  const { body } = await alice.client.post('/api/v1/statuses', { status: quick })
  assert.equal(await until(async () => (await cardOf(body.id))?.title, 'the card of another host'), 'Quick')
  release()
  await world.settle()
  const shown = await Promise.all(ids.map((id) => cardOf(id)))
  assert.deepEqual([shown.filter((card) => card !== null).length, urls.filter((url) => asked(url) > 0).length], [3, 3])
  while (urls.some((url) => asked(url) === 0)) {
    await hasten(world.ctx, 'fetchCard')
    await world.settle()
  }
  site.recover()
  for (const id of ids) assert.equal((await cardOf(id))?.title, 'Slow')
  assert.deepEqual(new Set(urls.map(asked)), new Set([1]))
})

test('no pictures are taken from hosts of which none are wanted', async () => {
  await sql`insert into domain_blocks (domain, severity, reject_media) values ('quick.test', 'noop', true)`.execute(
    world.ctx.db,
  )
  const picture = 'https://quick.test/picture.png'
  const card = await cardFor(alice, serve(`${title('Bare')}<meta property="og:image" content="${picture}">`))
  assert.deepEqual([card?.title, card?.image, asked(picture)], ['Bare', null, 0])
})

test('FE4 pages, their descriptions and pictures are asked for the guarded way, and reach no address that is not public', async () => {
  const guarded = await openWorld({
    env: { LINNET_TEST_HOSTS: peer.env.LINNET_TEST_HOSTS, ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8' },
    extraCa: peer.ca,
  })
  after(guarded.close)
  const mallory = await guarded.createPerson({ username: 'mallory' })
  const refused: string[] = []
  const { open } = guarded.ctx.fetcher
  guarded.ctx.fetcher.open = async (input) =>
    open(input).catch((err: unknown) => {
      if (err instanceof FetchRefused) refused.push(input.url)
      else if (err instanceof FetchFailed) refused.push(`not even refused: ${input.url}`)
      throw err
    })
  const places = [
    'https://[::1]/',
    'https://10.0.0.1/',
    'http://10.0.0.1/',
    'http://192.168.0.1:22/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::ffff:10.0.0.1]/',
    'http://0xa000002/',
    'https://100.64.0.1/',
  ]
  const look = async (status: string) => {
    const { body } = await mallory.client.post('/api/v1/statuses', { status })
    await guarded.settle()
    return (await mallory.client.get(`/api/v1/statuses/${body.id}`)).body.card
  }
  for (const url of places) assert.equal(await look(url), null)
  assert.deepEqual(
    refused,
    places.map((url) => new URL(url).href),
  )
  refused.length = 0
  const inner = 'https://10.0.0.1/x'
  const head = `<link rel="alternate" type="application/json+oembed" href="${inner}">
    <meta property="og:image" content="${inner}">`
  const card = await look(serve(title('Outside') + head))
  assert.deepEqual([card.title, card.image, refused], ['Outside', null, [inner, inner]])
  refused.length = 0
  const led = serveAt('https://site.test/led', { status: 302, headers: { location: inner }, body: '' })
  assert.deepEqual([await look(led), refused], [null, [led]])
})

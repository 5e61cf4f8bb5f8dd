import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCards, pictureAnswer } from '../../../../test/cards.ts'
import { openPeer } from '../../../../test/peer.ts'
import { openWorld } from '../../../../test/world.ts'

const peer = await openPeer({ hosts: ['site.test'] })
const world = await openWorld({ env: peer.env, extraCa: peer.ca })
after(async () => {
  await world.close()
  await peer.close()
})
const { serve, serveAt, post, cardOf } = openCards({ world, peer, host: 'site.test' })
const ann = await world.createPerson({ username: 'ann' })
const shown = async (id: string) => (await world.server.inject({ url: `/@ann/${id}` })).body

serveAt('https://site.test/picture.png', await pictureAnswer({ width: 1200, height: 630 }))
const page = serve(`<title>Cranes &amp; others</title><meta property="og:description" content="In the fog">
  <meta property="og:image" content="/picture.png"><meta property="og:image:alt" content="a &quot;meadow&quot;">
  <meta name="twitter:player" content="https://site.test/play"><meta name="author" content="Ida">`)

test('a post’s page shows what it links to, and loads nothing from there before somebody follows it', async () => {
  const id = await post(ann, `see ${page}`)
  const html = await shown(id)
  const card = /<a class="card card-wide"[\s\S]*?<\/a>/.exec(html)?.[0] ?? ''
  const { image } = (await cardOf(id))!
  assert.ok(card.includes(`href="${page}"`) && card.includes(`src="${image}"`), card)
  assert.match(card, /alt="a &quot;meadow&quot;"/)
  assert.match(card, />Cranes &amp; others<[\s\S]*>In the fog<[\s\S]*Ida/)
  const loaded = [...html.matchAll(/\b(?:src|srcset|poster|data)="([^"]*)"|<(?:iframe|video|audio|script)/g)]
  assert.deepEqual(
    loaded.filter(([, url = '']) => !url.startsWith('/') && !url.startsWith('https://linnet.test/')),
    [],
  )
})

test('the picture stays blurred where the post is sensitive', async () => {
  const id = await post(ann, `see ${page}`, { sensitive: true })
  const html = await shown(id)
  const { image } = (await cardOf(id))!
  const card = /<a class="card[\s\S]*?<\/a>/.exec(html)?.[0] ?? ''
  assert.match(card, /src="data:image\/bmp;base64,/)
  assert.ok(!card.includes(image!))
})

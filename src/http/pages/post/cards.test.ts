import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCardServer, imageResponse } from '../../../../test/features/cards.ts'
import { openPeer } from '../../../../test/federation/peer/open-peer.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'

const peer = await openPeer({ hosts: ['site.test'] })
const testServer = await openTestServer({ env: peer.env, extraCa: peer.ca })
after(async () => {
  await testServer.close()
  await peer.close()
})
const { serve, serveAt, post, cardOf } = openCardServer({ testServer, peer, host: 'site.test' })
const ann = await testServer.createUser({ username: 'ann' })
const readPage = async (id: string) => (await testServer.server.inject({ url: `/@ann/${id}` })).body

serveAt('https://site.test/picture.png', await imageResponse({ width: 1200, height: 630 }))
const page = serve(`<title>Cranes &amp; others</title><meta property="og:description" content="In the fog">
  <meta property="og:image" content="/picture.png"><meta property="og:image:alt" content="a &quot;meadow&quot;">
  <meta name="twitter:player" content="https://site.test/play"><meta name="author" content="Ida">`)

test('the page of a post shows a preview card, and loads nothing from the linked site', async () => {
  const id = await post(ann, `see ${page}`)
  const html = await readPage(id)
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

test('the image of the card is blurred if the post is sensitive', async () => {
  const id = await post(ann, `see ${page}`, { sensitive: true })
  const html = await readPage(id)
  const { image } = (await cardOf(id))!
  const card = /<a class="card[\s\S]*?<\/a>/.exec(html)?.[0] ?? ''
  assert.match(card, /src="data:image\/bmp;base64,/)
  assert.ok(!card.includes(image!))
})

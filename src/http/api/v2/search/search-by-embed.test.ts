import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCardServer } from '../../../../../test/features/cards.ts'
import { openFediverse } from '../../../../../test/federation/fediverse.ts'
import type { Status } from '../../../../entities/statuses/status.ts'

let days = 0
const fediverse = await openFediverse({
  hosts: ['site.test'],
  now: () => new Date(Date.now() + days * 86_400_000),
})
after(fediverse.close)
const { testServer, peer } = fediverse
const { serve, post, cardOf } = openCardServer({ testServer, peer, host: 'site.test' })
const [alice, bob] = [await testServer.createUser(), await testServer.createUser()]

const videoPage = '<title>Film</title><meta name="twitter:player" content="https://site.test/player">'
const articlePage = '<title>Article</title>'

async function find(q: string): Promise<string[]> {
  const { status, body } = await alice.client.get('/api/v2/search', { q: `${q} from:me`, type: 'statuses' })
  assert.equal(status, 200)
  return body.statuses.map(({ id }: Status) => id)
}

test('has:embed finds posts with a video card, whether the card is new or exists already', async () => {
  const url = serve(videoPage)
  const first = await post(alice, `cinema ${url}`)
  assert.equal((await cardOf(first))?.type, 'video')
  const second = await post(alice, `cinema ${url}#later`)
  const withArticle = await post(alice, `cinema ${serve(articlePage)}`)
  const plain = await post(alice, 'cinema')
  assert.deepEqual(await find('cinema has:embed'), [second, first])
  assert.deepEqual(await find('cinema has:link'), [withArticle, second, first])
  assert.deepEqual(await find('cinema -has:embed'), [plain, withArticle])
})

test('has:embed stops finding a post when an edit removes the link or the page loses its video', async () => {
  const path = '/changing'
  const url = serve(videoPage, { path })
  const [unchanged, edited] = [await post(alice, `theatre ${url}`), await post(alice, `theatre ${url}`)]
  assert.deepEqual(await find('theatre has:embed'), [edited, unchanged])
  await alice.client.put(`/api/v1/statuses/${edited}`, { status: 'theatre' })
  await testServer.waitForJobs()
  assert.deepEqual(await find('theatre has:embed'), [unchanged])
  serve(articlePage, { path })
  days = 15
  await post(bob, url)
  assert.equal((await cardOf(unchanged))?.type, 'link')
  assert.deepEqual(await find('theatre has:embed'), [])
  serve(videoPage, { path })
  days = 30
  await post(bob, url)
  assert.deepEqual(await find('theatre has:embed'), [unchanged])
})

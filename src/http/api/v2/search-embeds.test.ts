import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCards } from '../../../../test/cards.ts'
import { openFediverse } from '../../../../test/fediverse.ts'
import type { Status } from '../../../entities/status.ts'

let days = 0
const fediverse = await openFediverse({
  hosts: ['site.test'],
  now: () => new Date(Date.now() + days * 86_400_000),
})
after(fediverse.close)
const { world, peer } = fediverse
const { serve, post, cardOf } = openCards({ world, peer, host: 'site.test' })
const [alice, bob] = [await world.createPerson(), await world.createPerson()]

const film = '<title>Film</title><meta name="twitter:player" content="https://site.test/player">'
const article = '<title>Article</title>'

async function find(q: string): Promise<string[]> {
  const { status, body } = await alice.client.get('/api/v2/search', { q: `${q} from:me`, type: 'statuses' })
  assert.equal(status, 200)
  return body.statuses.map(({ id }: Status) => id)
}

test('has:embed finds posts whose card plays something, when the card comes late, and when it is there already', async () => {
  const url = serve(film)
  const first = await post(alice, `cinema ${url}`)
  assert.equal((await cardOf(first))?.type, 'video')
  const second = await post(alice, `cinema ${url}#later`)
  const read = await post(alice, `cinema ${serve(article)}`)
  const plain = await post(alice, 'cinema')
  assert.deepEqual(await find('cinema has:embed'), [second, first])
  assert.deepEqual(await find('cinema has:link'), [read, second, first])
  assert.deepEqual(await find('cinema -has:embed'), [plain, read])
})

test('has:embed finds a post no longer when an edit takes the link out, or when the page plays nothing more', async () => {
  const path = '/changing'
  const url = serve(film, { path })
  const [kept, edited] = [await post(alice, `theatre ${url}`), await post(alice, `theatre ${url}`)]
  assert.deepEqual(await find('theatre has:embed'), [edited, kept])
  await alice.client.put(`/api/v1/statuses/${edited}`, { status: 'theatre' })
  await world.settle()
  assert.deepEqual(await find('theatre has:embed'), [kept])
  serve(article, { path })
  days = 15
  await post(bob, url)
  assert.equal((await cardOf(kept))?.type, 'link')
  assert.deepEqual(await find('theatre has:embed'), [])
  serve(film, { path })
  days = 30
  await post(bob, url)
  assert.deepEqual(await find('theatre has:embed'), [kept])
})

// Slow: sends many requests to hostile sites.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { sql } from 'kysely'
import { openCards } from '../../../test/cards.ts'
import { countQueries } from '../../../test/count-queries.ts'
import { openFediverse } from '../../../test/fediverse.ts'
import { assertOnWire } from '../../../test/wire.ts'
import type { Person } from '../../../test/world.ts'
import type { Status } from '../../entities/status.ts'
import { renderStatusForMany } from '../../render/statuses-for-many.ts'

const hosts = ['news.test', 'blog.news.test', 'other.test', 'remote.test']
const fediverse = await openFediverse({ hosts })
after(fediverse.close)
const { world, peer } = fediverse
const { serve, post, show, cardOf } = openCards({ world, peer, host: 'news.test' })
const ann = await world.createPerson({ username: 'ann' })
const bob = await world.createPerson({ username: 'bob' })
let count = 0

function article(...creators: string[]): string {
  count += 1
  return `<!doctype html><title>News ${count}</title><meta name="author" content="Ann A.">${creators
    .map((creator) => `<meta name="fediverse:creator" content="${creator}">`)
    .join('')}`
}
const agree = (person: Person, ...domains: string[]) =>
  person.client.patch('/api/v1/accounts/update_credentials', { attribution_domains: domains })

suite('the author of a page', () => {
  test('is shown as a person of the network if they say that its site may name them, from then on', async () => {
    const id = await post(bob, serve(article('@ann@linnet.test')))
    const authors = async (person?: Person) => {
      const card = (await cardOf(id, person))!
      assertOnWire('PreviewCard', card)
      return card.authors.map(({ name, account }) => [name, account?.username ?? null])
    }
    assert.deepEqual(await authors(), [['Ann A.', null]])
    await agree(ann, 'other.test', 'blognews.test')
    assert.deepEqual(await authors(), [['Ann A.', null]])
    await agree(ann, 'news.test')
    assert.deepEqual(await authors(), [['Ann A.', 'ann']])
    assert.deepEqual(await authors(bob), [['Ann A.', 'ann']])
    const below = await post(bob, serve(article('ann@linnet.test'), { host: 'blog.news.test' }))
    assert.equal((await cardOf(below))?.authors[0]?.account?.id, ann.accountId)
    const elsewhere = await post(bob, serve(article('@ann@linnet.test'), { host: 'other.test' }))
    assert.equal((await cardOf(elsewhere))?.authors[0]?.account, null)
    await agree(ann)
    assert.deepEqual(await authors(), [['Ann A.', null]])
  })

  test('learns that a page names them, and nobody else does', async () => {
    const url = serve(article('@ann@linnet.test'))
    const id = await post(bob, url)
    const missing = async (person?: Person) => (await cardOf(id, person))?.missing_attribution
    assert.deepEqual([await missing(ann), await missing(bob), await missing()], [true, false, undefined])
    await agree(ann, 'news.test')
    assert.deepEqual([await missing(ann), await missing(bob)], [false, false])
    await agree(ann)
  })

  test('may be of another server, which is asked for them', async () => {
    const carol = await peer
      .host('remote.test')
      .createActor('carol', { document: { attributionDomains: ['news.test'] } })
    const id = await post(bob, serve(article('@carol@remote.test', '@nobody@remote.test', 'no handle', '@ann')))
    const { authors } = (await cardOf(id))!
    assert.deepEqual(
      authors.map(({ name, account }) => [name, account?.uri ?? null]),
      [['Ann A.', carol.id]],
    )
    await sql`update accounts set suspended_at = now() where username = 'carol'`.execute(world.ctx.db)
    assert.deepEqual((await cardOf(id))!.authors, [{ name: 'Ann A.', url: '', account: null }])
  })

  test('who is gone leaves the card, and their name on it', async () => {
    const eve = await world.createPerson({ username: 'eve' })
    await agree(eve, 'news.test')
    const id = await post(bob, serve(article('@eve@linnet.test')))
    assert.equal((await cardOf(id))!.authors[0]!.account?.username, 'eve')
    await sql`delete from accounts where id = ${eve.accountId}`.execute(world.ctx.db)
    assert.deepEqual((await cardOf(id))!.authors, [{ name: 'Ann A.', url: '', account: null }])
  })
})

test('to many at once a card is what it is to each of them', async () => {
  const id = await post(bob, serve(article('@ann@linnet.test')))
  const viewerIds = [ann.accountId, bob.accountId]
  for (const domains of [[], ['news.test']]) {
    await agree(ann, ...domains)
    const shared = await renderStatusForMany(world.ctx, { id, viewerIds })
    for (const viewerId of viewerIds) {
      const theirs = shared.find((one) => one.viewerIds.includes(viewerId))
      const { card } = JSON.parse(theirs!.status) as Status
      assert.deepEqual(card, await cardOf(id, viewerId === ann.accountId ? ann : bob))
    }
    const [impersonal] = await renderStatusForMany(world.ctx, { id, viewerIds, impersonal: true })
    assert.deepEqual((JSON.parse(impersonal!.status) as Status).card, await cardOf(id))
  }
  await agree(ann)
})

test('a page of cards costs as many statements as one, and no more where nobody is named', async () => {
  const writer = await world.createPerson()
  await agree(ann, 'news.test')
  const page = (limit: number) =>
    countQueries(() => writer.client.get(`/api/v1/accounts/${writer.accountId}/statuses?limit=${limit}`))
  await post(writer, 'words')
  await page(1)
  const plain = await page(1)
  for (let n = 0; n < 6; n += 1) await post(writer, serve('<title>x</title>'))
  await page(6)
  assert.equal(await page(6), plain)
  for (let n = 0; n < 6; n += 1) await post(writer, serve(article('@ann@linnet.test')))
  await page(6)
  assert.ok((await page(6)) <= plain + 3)
  assert.equal(await page(1), await page(6))
})

test('masto.js reads a card', async () => {
  const url = serve(article('@ann@linnet.test'))
  await agree(ann, 'news.test')
  const masto = createRestAPIClient({ url: await world.listen(), accessToken: bob.token })
  const { id } = await masto.v1.statuses.create({ status: url })
  await world.settle()
  const { card } = await masto.v1.statuses.$select(id).fetch()
  assert.deepEqual([card?.url, card?.title, card?.type, card?.image], [url, `News ${count}`, 'link', null])
  assert.equal(card?.authors[0]?.account?.username, 'ann')
  assertOnWire('Status', (await show(id, bob)) satisfies Status)
})

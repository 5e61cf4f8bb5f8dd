// Slow: sends many requests to hostile sites.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { sql } from 'kysely'
import { openCardServer } from '../../../test/features/cards.ts'
import { countQueries } from '../../../test/performance/count-queries.ts'
import { suspend } from '../../../test/features/moderation.ts'
import { openFediverse } from '../../../test/federation/fediverse.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'
import type { Status } from '../../entities/statuses/status.ts'
import { parseEntity } from '../../lib/json/json-content.ts'
import { renderStatusForMany } from '../../render/statuses/render-status-for-many.ts'

const hosts = ['news.test', 'blog.news.test', 'other.test', 'remote.test']
const fediverse = await openFediverse({ hosts })
after(fediverse.close)
const { testServer, peer } = fediverse
const { serve, post, show, cardOf } = openCardServer({ testServer, peer, host: 'news.test' })
const ann = await testServer.createUser({ username: 'ann' })
const bob = await testServer.createUser({ username: 'bob' })
let count = 0

function article(...creators: string[]): string {
  count += 1
  return `<!doctype html><title>News ${count}</title><meta name="author" content="Ann A.">${creators
    .map((creator) => `<meta name="fediverse:creator" content="${creator}">`)
    .join('')}`
}
const setAttributionDomains = (user: TestUser, ...domains: string[]) =>
  user.client.patch('/api/v1/accounts/update_credentials', { attribution_domains: domains })

suite('the author of a page', () => {
  test('is shown as an account once the account lists the domain of the page in its attribution domains', async () => {
    const id = await post(bob, serve(article('@ann@linnet.test')))
    const authors = async (user?: TestUser) => {
      const card = (await cardOf(id, user))!
      assertEntity('PreviewCard', card)
      return card.authors.map(({ name, account }) => [name, account?.username ?? null])
    }
    assert.deepEqual(await authors(), [['Ann A.', null]])
    await setAttributionDomains(ann, 'other.test', 'blognews.test')
    assert.deepEqual(await authors(), [['Ann A.', null]])
    await setAttributionDomains(ann, 'news.test')
    assert.deepEqual(await authors(), [['Ann A.', 'ann']])
    assert.deepEqual(await authors(bob), [['Ann A.', 'ann']])
    const subdomainPost = await post(bob, serve(article('ann@linnet.test'), { host: 'blog.news.test' }))
    assert.equal((await cardOf(subdomainPost))?.authors[0]?.account?.id, ann.accountId)
    const otherDomainPost = await post(bob, serve(article('@ann@linnet.test'), { host: 'other.test' }))
    assert.equal((await cardOf(otherDomainPost))?.authors[0]?.account, null)
    await setAttributionDomains(ann)
    assert.deepEqual(await authors(), [['Ann A.', null]])
  })

  test('sees that the attribution of a page is missing, and no other user does', async () => {
    const url = serve(article('@ann@linnet.test'))
    const id = await post(bob, url)
    const missing = async (user?: TestUser) => (await cardOf(id, user))?.missing_attribution
    assert.deepEqual([await missing(ann), await missing(bob), await missing()], [true, false, undefined])
    await setAttributionDomains(ann, 'news.test')
    assert.deepEqual([await missing(ann), await missing(bob)], [false, false])
    await setAttributionDomains(ann)
  })

  test('may be a remote account, which is fetched from its server', async () => {
    const carol = await peer
      .host('remote.test')
      .createActor('carol', { document: { attributionDomains: ['news.test'] } })
    const id = await post(bob, serve(article('@carol@remote.test', '@nobody@remote.test', 'no handle', '@ann')))
    const { authors } = (await cardOf(id))!
    assert.deepEqual(
      authors.map(({ name, account }) => [name, account?.uri ?? null]),
      [['Ann A.', carol.id]],
    )
    await suspend(testServer.ctx, { accountId: authors[0]!.account!.id })
    assert.deepEqual((await cardOf(id))!.authors, [{ name: 'Ann A.', url: '', account: null }])
  })

  test('is shown without the account, but with the name, after the account is deleted', async () => {
    const eve = await testServer.createUser({ username: 'eve' })
    await setAttributionDomains(eve, 'news.test')
    const id = await post(bob, serve(article('@eve@linnet.test')))
    assert.equal((await cardOf(id))!.authors[0]!.account?.username, 'eve')
    await sql`delete from accounts where id = ${eve.accountId}`.execute(testServer.ctx.db)
    assert.deepEqual((await cardOf(id))!.authors, [{ name: 'Ann A.', url: '', account: null }])
  })
})

test('rendering a card for several viewers at once gives the same result as for each viewer', async () => {
  const id = await post(bob, serve(article('@ann@linnet.test')))
  const viewerIds = [ann.accountId, bob.accountId]
  for (const domains of [[], ['news.test']]) {
    await setAttributionDomains(ann, ...domains)
    const shared = await testServer.ctx.read(renderStatusForMany, { id, viewerIds })
    for (const viewerId of viewerIds) {
      const rendering = shared.find((one) => one.viewerIds.includes(viewerId))
      const { card } = parseEntity(rendering!.status)
      assert.deepEqual(card, await cardOf(id, viewerId === ann.accountId ? ann : bob))
    }
    const [impersonal] = await testServer.ctx.read(renderStatusForMany, { id, viewerIds, impersonal: true })
    assert.deepEqual(parseEntity(impersonal!.status).card, await cardOf(id))
  }
  await setAttributionDomains(ann)
})

test('a page of statuses with cards needs as many queries as one status, and no more than without authors', async () => {
  const writer = await testServer.createUser()
  await setAttributionDomains(ann, 'news.test')
  const countPageQueries = (limit: number) =>
    countQueries(() => writer.client.get(`/api/v1/accounts/${writer.accountId}/statuses?limit=${limit}`))
  await post(writer, 'words')
  await countPageQueries(1)
  const plain = await countPageQueries(1)
  for (let n = 0; n < 6; n += 1) await post(writer, serve('<title>x</title>'))
  await countPageQueries(6)
  assert.equal(await countPageQueries(6), plain)
  for (let n = 0; n < 6; n += 1) await post(writer, serve(article('@ann@linnet.test')))
  await countPageQueries(6)
  assert.ok((await countPageQueries(6)) <= plain + 3)
  assert.equal(await countPageQueries(1), await countPageQueries(6))
})

test('masto.js reads a card', async () => {
  const url = serve(article('@ann@linnet.test'))
  await setAttributionDomains(ann, 'news.test')
  const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: bob.token })
  const { id } = await masto.v1.statuses.create({ status: url })
  await testServer.waitForJobs()
  const { card } = await masto.v1.statuses.$select(id).fetch()
  assert.deepEqual([card?.url, card?.title, card?.type, card?.image], [url, `News ${count}`, 'link', null])
  assert.equal(card?.authors[0]?.account?.username, 'ann')
  assertEntity('Status', (await show(id, bob)) satisfies Status)
})

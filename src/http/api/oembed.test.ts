import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseFragment } from 'parse5'
import { makeRemote, makeRemoteStatus } from '../../../test/remote.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'

const world = await openWorld()
after(world.close)
const ada = await world.createPerson({ username: 'ada', displayName: 'Ada "F"' })

async function post(status: string, more: Record<string, unknown> = {}) {
  const { body } = await ada.client.post('/api/v1/statuses', { status, ...more })
  assert.ok(body.id, JSON.stringify(body))
  return body as { id: string; url: string; uri: string }
}

const ask = (url: string, more: Record<string, unknown> = {}) => world.anonymous.get('/api/oembed', { url, ...more })

/** The attributes of the frame that an answer brings. */
function frameOf(html: string): Record<string, string> {
  const { childNodes } = parseFragment(html)
  const [frame] = childNodes
  assert.ok(childNodes.length === 1 && frame?.nodeName === 'iframe' && 'attrs' in frame, html)
  return Object.fromEntries(frame.attrs.map(({ name, value }) => [name, value]))
}

test('a public post tells how to embed it, by any of its addresses', async () => {
  const { id, url, uri } = await post('show me elsewhere')
  for (const address of [
    url,
    uri,
    `${url}/`,
    `https://linnet.test/users/ADA/statuses/${id}`,
    `https://linnet.test/@ADA/${id}?x=1`,
  ]) {
    const { status, body, headers } = await ask(address)
    assert.equal(status, 200, address)
    assertOnWire('OEmbed', body)
    const { html, ...rest } = body
    assert.deepEqual(rest, {
      type: 'rich',
      version: '1.0',
      title: 'Post by Ada "F"',
      author_name: 'Ada "F"',
      author_url: 'https://linnet.test/@ada',
      provider_name: 'linnet.test',
      provider_url: 'https://linnet.test/',
      cache_age: 86_400,
      width: 400,
      height: null,
    })
    const frame = frameOf(html)
    assert.deepEqual([frame['src'], frame['width']], [`${url}/embed`, '400'])
    assert.ok(Number(frame['height']) > 100)
    assert.match(String(headers['cache-control']), /^public/)
    assert.equal(headers['access-control-allow-origin'], '*')
  }
})

test('the size is as it is asked for, within reason', async () => {
  const { url } = await post('a size')
  for (const [asked, width, height] of [
    [{ maxwidth: 300, maxheight: 200 }, 300, 200],
    [{ maxwidth: 1, maxheight: 1 }, 100, 100],
    [{ maxwidth: -5 }, 100, null],
    [{ maxwidth: 1e9, maxheight: 1e9 }, 4_000, 4_000],
    [{ format: 'json' }, 400, null],
  ] as const) {
    const { body } = await ask(url, asked)
    assert.deepEqual([body.width, body.height], [width, height])
    const frame = frameOf(body.html)
    assert.equal(frame['width'], String(width))
    if (height !== null) assert.equal(frame['height'], String(height))
  }
})

test('the frame leads to a page that may stand in one', async () => {
  const { url } = await post('in a frame')
  const { body } = await ask(url)
  const src = new URL(frameOf(body.html)['src']!)
  const { status, headers } = await world.anonymous.get(src.pathname)
  assert.equal(status, 200)
  assert.match(String(headers['content-security-policy']), /frame-ancestors \*/)
})

test('HT11 what is hidden, elsewhere or nothing at all answers to the byte like a post that never was', async () => {
  const { url, id } = await post('open')
  const hidden = [
    await post('private', { visibility: 'private' }),
    await post('direct', { visibility: 'direct' }),
    await post('local', { local_only: true }),
  ]
  const { body: boost } = await ada.client.post(`/api/v1/statuses/${id}/reblog`)
  const far = await makeRemoteStatus(world.ctx, {
    accountId: await makeRemote(world.ctx),
    url: 'https://far.test/1.html',
  })
  const bo = await world.createPerson({ username: 'bo' })
  const suspended = await bo.client.post('/api/v1/statuses', { status: 'by bo' })
  await world.ctx.db.updateTable('accounts').set({ suspended_at: new Date() }).where('id', '=', bo.accountId).execute()
  const never = await ask('https://linnet.test/@ada/116000000000000000')
  assert.deepEqual([never.status, never.body], [404, { error: 'Record not found' }])
  for (const address of [
    ...hidden.flatMap((one) => [one.url, one.uri]),
    suspended.body.url,
    boost.uri,
    `https://linnet.test/@ada/${boost.id}`,
    `https://linnet.test/@bo/${id}`,
    `https://linnet.test/@ada/${far}`,
    'https://far.test/1.html',
    url.replace('linnet.test', 'evil.test'),
    url.replace('linnet.test', 'linnet.test:444'),
    'https://linnet.test/',
    'https://linnet.test/@ada',
    'javascript:alert(1)',
    'x',
  ]) {
    const { status, body } = await ask(address)
    assert.deepEqual([status, body], [404, never.body], address)
  }
  assert.equal((await world.anonymous.get('/api/oembed')).status, 400)
})

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseFragment } from 'parse5'
import { createRemoteAccount, createRemoteStatus } from '../../../test/federation/remote-records.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { suspend } from '../../../test/features/moderation.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer()
after(testServer.close)
const ada = await testServer.createUser({ username: 'ada', displayName: 'Ada "F"' })

async function post(status: string, params: Record<string, unknown> = {}) {
  const { body } = await ada.client.post('/api/v1/statuses', { status, ...params })
  assert.ok(body.id, JSON.stringify(body))
  return body as { id: string; url: string; uri: string }
}

const getOEmbed = (url: string, params: Record<string, unknown> = {}) =>
  testServer.anonymous.get('/api/oembed', { url, ...params })

/** Returns the attributes of the iframe in a response. */
function frameOf(html: string): Record<string, string> {
  const { childNodes } = parseFragment(html)
  const [frame] = childNodes
  assert.ok(childNodes.length === 1 && frame?.nodeName === 'iframe' && 'attrs' in frame, html)
  return Object.fromEntries(frame.attrs.map(({ name, value }) => [name, value]))
}

test('a public post can be embedded by any of its URLs', async () => {
  const { id, url, uri } = await post('embed me')
  for (const postUrl of [
    url,
    uri,
    `${url}/`,
    `https://linnet.test/users/ADA/statuses/${id}`,
    `https://linnet.test/@ADA/${id}?x=1`,
  ]) {
    const { status, body, headers } = await getOEmbed(postUrl)
    assert.equal(status, 200, postUrl)
    assertEntity('OEmbed', body)
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

test('the size follows maxwidth and maxheight, within limits', async () => {
  const { url } = await post('a size')
  for (const [size, width, height] of [
    [{ maxwidth: 300, maxheight: 200 }, 300, 200],
    [{ maxwidth: 1, maxheight: 1 }, 100, 100],
    [{ maxwidth: -5 }, 100, null],
    [{ maxwidth: 1e9, maxheight: 1e9 }, 4_000, 4_000],
    [{ maxwidth: 0, maxheight: 0 }, 100, 100],
    [{ maxwidth: '', maxheight: '' }, 400, null],
    [{ maxwidth: 300, maxheight: ' ' }, 300, null],
    [{ format: 'json' }, 400, null],
  ] as const) {
    const { body } = await getOEmbed(url, size)
    assert.deepEqual([body.width, body.height], [width, height])
    const frame = frameOf(body.html)
    assert.equal(frame['width'], String(width))
    if (height !== null) assert.equal(frame['height'], String(height))
  }
})

test('the frame shows a page that may be framed', async () => {
  const { url } = await post('in a frame')
  const { body } = await getOEmbed(url)
  const src = new URL(frameOf(body.html)['src']!)
  const { status, headers } = await testServer.anonymous.get(src.pathname)
  assert.equal(status, 200)
  assert.match(String(headers['content-security-policy']), /frame-ancestors \*/)
})

test('HT11 a hidden, remote or invalid URL gets the same bytes as a post that does not exist', async () => {
  const { url, id } = await post('public')
  const hidden = [
    await post('private', { visibility: 'private' }),
    await post('direct', { visibility: 'direct' }),
    await post('local', { local_only: true }),
  ]
  const { body: reblog } = await ada.client.post(`/api/v1/statuses/${id}/reblog`)
  const remoteStatusId = await createRemoteStatus(testServer.ctx, {
    accountId: await createRemoteAccount(testServer.ctx),
    url: 'https://remote.test/1.html',
  })
  const bo = await testServer.createUser({ username: 'bo' })
  const suspended = await bo.client.post('/api/v1/statuses', { status: 'by bo' })
  await suspend(testServer.ctx, bo)
  const unknown = await getOEmbed('https://linnet.test/@ada/116000000000000000')
  assert.deepEqual([unknown.status, unknown.body], [404, { error: 'Record not found' }])
  for (const postUrl of [
    ...hidden.flatMap((status) => [status.url, status.uri]),
    suspended.body.url,
    reblog.uri,
    `https://linnet.test/@ada/${reblog.id}`,
    `https://linnet.test/@bo/${id}`,
    `https://linnet.test/@ada/${remoteStatusId}`,
    'https://remote.test/1.html',
    url.replace('linnet.test', 'evil.test'),
    url.replace('linnet.test', 'linnet.test:444'),
    'https://linnet.test/',
    'https://linnet.test/@ada',
    'javascript:alert(1)',
    'x',
  ]) {
    const { status, body } = await getOEmbed(postUrl)
    assert.deepEqual([status, body], [404, unknown.body], postUrl)
  }
  assert.equal((await testServer.anonymous.get('/api/oembed')).status, 400)
})

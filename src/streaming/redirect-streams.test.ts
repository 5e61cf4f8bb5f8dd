import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { expectSocketRejected, openSocket } from '../../test/streaming/streams.ts'
import { openTestServer } from '../../test/servers/test-server.ts'

const testServer = await openTestServer({ env: { STREAMING_API_BASE_URL: 'wss://streams.test' } })
after(testServer.close)
const origin = await testServer.listen()

async function request(url: string, host = 'linnet.test', method = 'GET') {
  const { statusCode: status, headers } = await testServer.server.inject({
    method: method as 'GET',
    url,
    headers: { host },
  })
  return { status, location: headers.location }
}

test('other hosts redirect to the streaming host', async () => {
  for (const path of [
    '',
    '/',
    '?stream=user&access_token=x',
    '/user',
    '/public/local?only_media=true',
    '/health',
    '/nothing',
  ]) {
    const url = `/api/v1/streaming${path}`
    assert.deepEqual(await request(url), { status: 301, location: `https://streams.test${url}` })
  }
  assert.equal((await request('/api/v1/streamings')).status, 404)
  assert.equal((await request('/api/v1/instance')).status, 200)
  assert.equal((await request('/api/v2/instance')).status, 200)
})

test('the streaming host serves streams', async () => {
  for (const host of ['streams.test', 'streams.test:443', 'STREAMS.test']) {
    assert.equal((await request('/api/v1/streaming/health', host)).status, 200, host)
    assert.equal((await request('/api/v1/streaming/user', host)).status, 401, host)
  }
  assert.equal((await request('/api/v1/streaming/health', 'streams.test:8443')).status, 301)
})

test('ST5: no request is redirected to another host', async () => {
  for (const url of ['//evil.test', '/%09/evil.test', '/\\evil.test', '/@evil.test', '?@evil.test', '/..//evil.test']) {
    const { status, location } = await request(`/api/v1/streaming${url}`)
    if (status === 301) assert.equal(new URL(String(location)).host, 'streams.test', url)
    else assert.deepEqual([Math.floor(status / 100), location], [4, undefined], url)
  }
  for (const url of ['//evil.test/api/v1/streaming', '/@evil.test/api/v1/streaming']) {
    assert.equal((await request(url)).location?.includes('evil') ?? false, false, url)
  }
  for (const host of ['evil.test', 'streams.test.evil.test', 'streams.test@evil.test']) {
    const { location } = await request('/api/v1/streaming/user', host)
    if (location !== undefined) assert.equal(location, 'https://streams.test/api/v1/streaming/user')
  }
})

test('other hosts redirect the handshakes of sockets to the streaming host', async () => {
  const { token } = await testServer.createUser()
  const paths = ['/api/v1/streaming', '/api/v1/streaming/?stream=user', '/api/v1/streaming//evil.test']
  for (const path of [...paths, '//api/v1/streaming']) {
    const location = `https://streams.test${path.replaceAll('//', '/')}`
    for (const host of [undefined, 'linnet.test', 'evil.test', 'streams.test:8443']) {
      const { status, headers, body } = await expectSocketRejected(origin, { token, path, ...(host && { host }) })
      assert.deepEqual([status, headers.location, body], [301, location, ''], `${host} ${path}`)
    }
  }
  const otherPath = await expectSocketRejected(origin, { token, path: '/api/v1/streamings' })
  assert.deepEqual([otherPath.status, otherPath.headers.location], [404, undefined])
})

test('the instance names the streaming URL, and a socket opens there', async () => {
  const { body } = await testServer.anonymous.get('/api/v2/instance')
  assert.equal(body.configuration.urls.streaming, 'wss://streams.test')
  assert.equal((await testServer.anonymous.get('/api/v1/instance')).body.urls.streaming_api, 'wss://streams.test')
  const user = await testServer.createUser()
  const { ws, errors, subscribe } = await openSocket(origin, {
    token: user.token,
    host: 'streams.test',
  })
  await subscribe('user')
  assert.deepEqual(errors, [])
  ws.terminate()
})

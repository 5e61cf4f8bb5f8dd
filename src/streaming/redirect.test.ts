import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSocket } from '../../test/streams.ts'
import { openWorld } from '../../test/world.ts'

const world = await openWorld({ env: { STREAMING_API_BASE_URL: 'wss://streams.test' } })
after(world.close)

async function ask(url: string, host = 'linnet.test', method = 'GET') {
  const { statusCode: status, headers } = await world.server.inject({ method: method as 'GET', url, headers: { host } })
  return { status, location: headers.location }
}

test('where streams have a host of their own, another one leads there', async () => {
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
    assert.deepEqual(await ask(url), { status: 301, location: `https://streams.test${url}` })
  }
  assert.equal((await ask('/api/v1/streamings')).status, 404)
  assert.equal((await ask('/api/v1/instance')).status, 200)
  assert.equal((await ask('/api/v2/instance')).status, 200)
})

test('there, streams are served', async () => {
  for (const host of ['streams.test', 'streams.test:443', 'STREAMS.test']) {
    assert.equal((await ask('/api/v1/streaming/health', host)).status, 200, host)
    assert.equal((await ask('/api/v1/streaming/user', host)).status, 401, host)
  }
  assert.equal((await ask('/api/v1/streaming/health', 'streams.test:8443')).status, 301)
})

test('ST5: whatever a request says, it is led to no other host', async () => {
  for (const url of ['//evil.test', '/%09/evil.test', '/\\evil.test', '/@evil.test', '?@evil.test', '/..//evil.test']) {
    const { status, location } = await ask(`/api/v1/streaming${url}`)
    if (status === 301) assert.equal(new URL(String(location)).host, 'streams.test', url)
    else assert.deepEqual([Math.floor(status / 100), location], [4, undefined], url)
  }
  for (const url of ['//evil.test/api/v1/streaming', '/@evil.test/api/v1/streaming']) {
    assert.equal((await ask(url)).location?.includes('evil') ?? false, false, url)
  }
  for (const host of ['evil.test', 'streams.test.evil.test', 'streams.test@evil.test']) {
    const { location } = await ask('/api/v1/streaming/user', host)
    if (location !== undefined) assert.equal(location, 'https://streams.test/api/v1/streaming/user')
  }
})

test('the server tells where its streams are, and a socket opens there', async () => {
  const { body } = await world.anonymous.get('/api/v2/instance')
  assert.equal(body.configuration.urls.streaming, 'wss://streams.test')
  assert.equal((await world.anonymous.get('/api/v1/instance')).body.urls.streaming_api, 'wss://streams.test')
  const person = await world.createPerson()
  const { ws, errors, subscribe } = await openSocket(await world.listen(), { token: person.token })
  await subscribe('user')
  assert.deepEqual(errors, [])
  ws.terminate()
})

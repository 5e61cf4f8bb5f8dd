import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { openTestServer } from '../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false, env: { TRUSTED_PROXY_IP: '10.0.0.0/8' } })
after(testServer.close)
const { server } = testServer
const url = new URL(await testServer.listen())

const alice = await testServer.createUser()
const { body: status } = await alice.client.post('/api/v1/statuses', { status: 'x' })
const unknown = await testServer.anonymous.get('/api/v1/statuses/1')

/** Sends raw bytes, and returns the response up to the end of the connection. */
async function sendBytes(bytes: string): Promise<string> {
  const socket = connect(Number(url.port), url.hostname)
  await once(socket, 'connect')
  socket.write(bytes)
  return text(socket)
}

test('BI1 an invalid id gets the same response as an unknown one, byte by byte', async () => {
  assert.deepEqual([unknown.status, unknown.body], [404, { error: 'Record not found' }])
  const ids = [
    '-1',
    '0',
    '01',
    '+1',
    '1.0',
    '1e3',
    '1e400',
    '0x1',
    '%201',
    '1%20',
    '1%0a',
    '%EF%BC%91',
    '%00',
    '1%00',
    '%',
    '%zz',
    '%ff',
    '%ED%A0%80',
    'null',
    '9223372036854775808',
    '18446744073709551616',
    `${status.id}.json`,
    '1'.repeat(10_240),
    '9'.repeat(19),
  ]
  for (const id of ids) {
    const responses = [
      await alice.client.get(`/api/v1/statuses/${id}`),
      await alice.client.get(`/api/v1/statuses/${id}/context`),
      await alice.client.post(`/api/v1/statuses/${id}/favourite`),
      await alice.client.delete(`/api/v1/statuses/${id}`),
    ]
    for (const response of responses)
      assert.deepEqual([response.status, response.body], [404, unknown.body], id.slice(0, 30))
  }
})

test('BI12 another spelling of a path gets 404, or the same route with the same rate limit', async () => {
  const path = '/api/v1/timelines/home'
  const notFound = [
    `${path}.json`,
    '/API/v1/timelines/home',
    '/api/v1/Timelines/home',
    '/api/v1/timelines/..;/timelines/home',
    '/api/v1/timelines/;/home',
    '/./api/v1/timelines/home',
    '/x/../api/v1/timelines/home',
    '/%2e/api/v1/timelines/home',
    '/api/v1/timelines%2Fhome',
    '/api%2Fv1/timelines/home',
    '/api/v1/timelines/home%20',
    '/api/v1/timelines/home%00',
    '/api\\v1\\timelines\\home',
  ]
  for (const spelling of notFound) {
    // As raw bytes, since HTTP clients normalise paths.
    const head = `Host: x\r\nAuthorization: Bearer ${alice.token}\r\nConnection: close`
    const answer = await sendBytes(`GET ${spelling} HTTP/1.1\r\n${head}\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 404 [^]*\{"error":"Record not found"\}$/, spelling)
  }
  const readRemaining = async (spelling: string) => {
    const answer = await alice.client.get(spelling)
    assert.equal(answer.status, 200, spelling)
    return Number(answer.headers['x-ratelimit-remaining'])
  }
  const before = await readRemaining(path)
  for (const [i, spelling] of [
    '/%61pi/v1/timelines/home',
    '/api/v1/timelines/hom%65',
    `${path}?#x`,
    `${path}/`,
    `${path}/?limit=1`,
    `/${path}`,
    `${path}//`,
    '/api//v1/timelines/home',
  ].entries()) {
    assert.equal(await readRemaining(spelling), before - i - 1, spelling)
    assert.equal((await testServer.anonymous.get(spelling)).status, 401, spelling)
  }
})

test('BI11 links in responses never contain the host that a request claims', async () => {
  const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'gopher' }
  for (const remoteAddress of ['203.0.113.6', '10.1.2.3']) {
    for (const path of ['/api/v1/timelines/public', '/api/v1/instance', '/auth/sign_in', '/']) {
      const answer = await server.inject({ url: path, headers, remoteAddress })
      assert.doesNotMatch(JSON.stringify(answer.headers) + answer.body, /evil\.example|gopher/, path)
    }
  }
  const absolute = await sendBytes(
    'GET http://evil.example/api/v1/timelines/public?limit=1 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
  )
  assert.match(
    absolute,
    /^HTTP\/1\.1 200 [^]*link: <https:\/\/linnet\.test\/api\/v1\/timelines\/public\?limit=1&max_id=/,
  )
  assert.doesNotMatch(absolute, /evil\.example/)
})

test('BI11 ambiguous and malformed requests get 400, and the connection is closed', async () => {
  const chunked = '5\r\nhello\r\n0\r\n\r\n'
  const bad = [
    `POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
    `POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n${chunked}`,
    'POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!',
    'POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\nhello',
    'POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nhello',
    'POST /api/v1/apps HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    'GET / HTTP/1.1\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\x00b\r\n\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\n X-Folded: a\r\n\r\n',
    'GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n',
    'NONSENSE / HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ]
  for (const bytes of bad) {
    const answer = await sendBytes(bytes)
    assert.match(answer, /^HTTP\/1\.1 400 /, JSON.stringify(bytes.slice(0, 80)))
    assert.match(answer, /connection: close/i)
  }
})

test('BI11 headers that are too large get 431, also while they are still being sent', async () => {
  for (const head of [
    `X-A: ${'a'.repeat(100_000)}\r\n`,
    'X-A: a\r\n'.repeat(15_000),
    `Cookie: ${'a=b; '.repeat(50_000)}\r\n`,
  ]) {
    const answer = await sendBytes(`GET / HTTP/1.1\r\nHost: x\r\n${head}\r\n`)
    assert.match(answer, /^HTTP\/1\.1 431 [^]*\{"error":"Request Header Fields Too Large"\}$/)
  }
  const long = await sendBytes(`GET /${'a'.repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
  assert.match(long, /^HTTP\/1\.1 431 /)
})

test('BI11 unusual request targets and headers cause no server error', async () => {
  const unusualHeads = [
    'GET http://evil.example/api/v1/instance HTTP/1.1\r\nHost: x\r\n',
    'GET * HTTP/1.1\r\nHost: x\r\n',
    'OPTIONS * HTTP/1.1\r\nHost: x\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n',
    'TRACE / HTTP/1.1\r\nHost: x\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\n',
    'GET /api/v1/instance HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n',
    'GET /api/v1/instance HTTP/1.1\r\nHost: x\r\nRange: bytes=0-1\r\nIf-None-Match: *\r\nAccept-Version: 9\r\n',
    'GET /api/v1/instance HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer\r\nCookie: __Host-linnet-session=%00\r\n',
    'GET /account HTTP/1.1\r\nHost: x\r\nCookie: __Host-linnet-session=%00%ff; __Host-linnet-form="\r\n',
  ]
  for (const head of unusualHeads) {
    const answer = await sendBytes(`${head}Connection: close\r\n\r\n`)
    assert.doesNotMatch(answer, /^HTTP\/1\.1 5/, head)
  }
  assert.equal((await testServer.anonymous.get('/health')).status, 200)
})

test('BI6 no text in a query, a body or a header causes a server error', async () => {
  const texts = ['%00', '%ff', '%ed%a0%80', '%c0%80', '%f4%90%80%80', '%', '%zz', '%EF%BF%BF', '%F0%9F%91%A9%E2%80%8D']
  for (const encoded of texts) {
    const paths = [
      `/api/v1/timelines/public?max_id=${encoded}&limit=${encoded}&local=${encoded}`,
      `/api/v1/statuses?id[]=${encoded}&id[]=${status.id}`,
      `/api/v1/timelines/home?access_token=${encoded}`,
      `/auth/sign_in?next=${encoded}&lang=${encoded}`,
      `/${encoded}=${encoded}`,
    ]
    for (const path of paths) assert.ok((await testServer.anonymous.get(path)).status < 500, path)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const posted = await alice.client.post('/api/v1/statuses', `status=a${encoded}&language=${encoded}`, form)
    assert.ok([200, 422].includes(posted.status), `${encoded} ${posted.status}`)
    const signIn = await testServer.anonymous.post(
      '/auth/sign_in',
      `login=${encoded}&password=${encoded}&csrf=${encoded}`,
      form,
    )
    assert.equal(signIn.status, 422)
  }
  const header = { 'idempotency-key': 'é\x80ÿ'.repeat(200), 'user-agent': 'ÿ'.repeat(3_000) }
  assert.equal((await alice.client.post('/api/v1/statuses', { status: 'y' }, header)).status, 200)
  for (const value of ['a\u0000b', '\ud800', '\udfff a', '\uffff', '‮']) {
    const posted = await alice.client.post('/api/v1/statuses', { status: `z ${value}`, spoiler_text: value })
    assert.equal(posted.status, 200)
  }
})

test('a response that is sent before a long body is complete reaches the client, and ends the connection', async () => {
  const bytes = 20_000_000
  for (const [path, token, status] of [
    ['/api/v2/media', 'unknown', 401],
    ['/inbox', 'unknown', 401],
    ['/api/v1/statuses', alice.token, 413],
  ] as const) {
    const socket = connect(Number(url.port), url.hostname)
    // Like nginx, it reads only after it has sent everything. A reset of the connection is an error of the socket.
    socket.pause()
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: linnet.test\r\nContent-Type: application/json\r\n` +
        `Authorization: Bearer ${token}\r\nContent-Length: ${bytes}\r\n\r\n`,
    )
    socket.write(Buffer.alloc(bytes, ' '))
    await once(socket, 'drain')
    assert.match(await text(socket), new RegExp(`^HTTP/1\\.1 ${status} [^]*\\r\\nconnection: close\\r\\n`, 'i'), path)
  }
})

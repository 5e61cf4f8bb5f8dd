import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { openWorld } from '../../test/world.ts'

const world = await openWorld({ effects: false, env: { TRUSTED_PROXY_IP: '10.0.0.0/8' } })
after(world.close)
const { server } = world
const url = new URL(await world.listen())

const alice = await world.createPerson()
const { body: status } = await alice.client.post('/api/v1/statuses', { status: 'x' })
const unknown = await world.anonymous.get('/api/v1/statuses/1')

/** Sends bytes as they are, and gives what comes back before the connection ends. */
async function sendBytes(bytes: string): Promise<string> {
  const socket = connect(Number(url.port), url.hostname)
  await once(socket, 'connect')
  socket.write(bytes)
  return text(socket)
}

test('BI1 what can not be an id answers to the byte as an unknown id does', async () => {
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
    const answers = [
      await alice.client.get(`/api/v1/statuses/${id}`),
      await alice.client.get(`/api/v1/statuses/${id}/context`),
      await alice.client.post(`/api/v1/statuses/${id}/favourite`),
      await alice.client.delete(`/api/v1/statuses/${id}`),
    ]
    for (const answer of answers) assert.deepEqual([answer.status, answer.body], [404, unknown.body], id.slice(0, 30))
  }
})

test('BI12 another spelling of a path is nowhere, or the same route with the same rule and the same count', async () => {
  const path = '/api/v1/timelines/home'
  const nowhere = [
    `/${path}`,
    `${path}//`,
    `${path}.json`,
    '/API/v1/timelines/home',
    '/api/v1/Timelines/home',
    '/api//v1/timelines/home',
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
  for (const spelling of nowhere) {
    // As bytes, since a client would tidy the path up.
    const head = `Host: x\r\nAuthorization: Bearer ${alice.token}\r\nConnection: close`
    const answer = await sendBytes(`GET ${spelling} HTTP/1.1\r\n${head}\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 404 [^]*\{"error":"Record not found"\}$/, spelling)
  }
  const left = async (spelling: string) => {
    const answer = await alice.client.get(spelling)
    assert.equal(answer.status, 200, spelling)
    return Number(answer.headers['x-ratelimit-remaining'])
  }
  const before = await left(path)
  for (const [i, spelling] of [
    '/%61pi/v1/timelines/home',
    '/api/v1/timelines/hom%65',
    `${path}?#x`,
    `${path}/`,
    `${path}/?limit=1`,
  ].entries()) {
    assert.equal(await left(spelling), before - i - 1, spelling)
    assert.equal((await world.anonymous.get(spelling)).status, 401, spelling)
  }
})

test('BI11 no link of an answer is made of what a request says about its host', async () => {
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

test('BI11 requests that could be read in two ways are refused, and the connection ends', async () => {
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

test('BI11 a head that is too large is 431, also for who is still sending it', async () => {
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

test('BI11 a request may ask for anything by any header without breaking the server', async () => {
  const odd = [
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
  for (const head of odd) {
    const answer = await sendBytes(`${head}Connection: close\r\n\r\n`)
    assert.doesNotMatch(answer, /^HTTP\/1\.1 5/, head)
  }
  assert.equal((await world.anonymous.get('/health')).status, 200)
})

test('BI6 no text of a query, a body or a header is a mistake of ours', async () => {
  const texts = ['%00', '%ff', '%ed%a0%80', '%c0%80', '%f4%90%80%80', '%', '%zz', '%EF%BF%BF', '%F0%9F%91%A9%E2%80%8D']
  for (const encoded of texts) {
    const paths = [
      `/api/v1/timelines/public?max_id=${encoded}&limit=${encoded}&local=${encoded}`,
      `/api/v1/statuses?id[]=${encoded}&id[]=${status.id}`,
      `/api/v1/timelines/home?access_token=${encoded}`,
      `/auth/sign_in?next=${encoded}&lang=${encoded}`,
      `/${encoded}=${encoded}`,
    ]
    for (const path of paths) assert.ok((await world.anonymous.get(path)).status < 500, path)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const posted = await alice.client.post('/api/v1/statuses', `status=a${encoded}&language=${encoded}`, form)
    assert.ok([200, 422].includes(posted.status), `${encoded} ${posted.status}`)
    const signIn = await world.anonymous.post(
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

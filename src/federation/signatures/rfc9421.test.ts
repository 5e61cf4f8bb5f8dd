import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrive, judge, post, rewrite, signAndArrive, signMessageByHand } from '../../../test/signed.ts'

const HOUR = 3_600_000
const nowSeconds = () => Math.floor(Date.now() / 1000)
const REQUIRED = ['"@method"', '"@target-uri"', '"content-digest"']

test('a signature is valid for an hour around its creation, however late it says that it expires', async () => {
  const now = new Date()
  const request = await signAndArrive(post(), { spec: 'rfc9421', now })
  const after = (hours: number) => judge({ ...request, now: new Date(now.getTime() + hours * HOUR) })
  assert.deepEqual([-0.9, 0, 0.9].map(after), ['accepted', 'accepted', 'accepted'])
  assert.deepEqual([-1.1, 1.1, 5000].map(after), ['time', 'time', 'time'])

  for (const seconds of [60, 3_600, 7_200, 30 * 86_400]) {
    const lasting = signMessageByHand({ params: { expires: nowSeconds() + seconds } })
    const later = (hours: number) => judge({ ...lasting, now: new Date(Date.now() + hours * HOUR) })
    assert.deepEqual([-0.9, 0.9, 1.1, -1.1].map(later), ['accepted', 'accepted', 'time', 'time'], `${seconds} s`)
  }
})

test('a signature that expired before its creation is valid for an hour after it expired', () => {
  const short = signMessageByHand({ params: { expires: nowSeconds() - 1_800 } })
  const later = (hours: number) => judge({ ...short, now: new Date(Date.now() + hours * HOUR) })
  assert.deepEqual([0, 0.4, 0.6].map(later), ['accepted', 'accepted', 'time'])
})

test('RSA-SHA256 is the only algorithm, named or not', () => {
  assert.equal(judge(signMessageByHand({ params: { alg: '"rsa-v1_5-sha256"' } })), 'accepted')
  assert.equal(judge(signMessageByHand({})), 'accepted')
  for (const alg of ['"rsa-pss-sha512"', '"hmac-sha256"', '"ed25519"', '"constructor"']) {
    assert.equal(judge(signMessageByHand({ params: { alg } })), 'algorithm', alg)
  }
  assert.equal(judge(signMessageByHand({ params: { alg: 'rsa-v1_5-sha256' } })), 'malformed')
})

test('beside a signature of another kind, ours is found', () => {
  const request = signMessageByHand({ params: { alg: '"rsa-v1_5-sha256"' } })
  const headers = {
    ...request.headers,
    'signature-input': `sig0=("@method");keyid="https://a.test/k";alg="ed25519", ${request.headers['signature-input']}`,
    signature: `sig0=:AAAA:, ${request.headers['signature']}`,
  }
  assert.equal(judge({ ...request, headers }), 'accepted')
})

test('IN1 method, target, digest and the time of making have to be signed', () => {
  for (const name of REQUIRED) {
    assert.equal(judge(signMessageByHand({ covered: REQUIRED.filter((one) => one !== name) })), 'coverage', name)
  }
  assert.equal(judge(signMessageByHand({ params: { created: null } })), 'coverage')
  for (const name of ['"x-absent"', '"@status"', '"@constructor"', '"__proto__"']) {
    assert.equal(judge(signMessageByHand({ covered: [...REQUIRED, name] })), 'coverage', name)
  }
})

test('what is derived of a request is derived as RFC 9421 says', () => {
  const values = {
    '"@authority"': 'linnet.test',
    '"@scheme"': 'https',
    '"@path"': '/inbox',
    '"@query"': '?',
    '"@request-target"': '/inbox',
  }
  for (const [name, value] of Object.entries(values)) {
    const covered = [...REQUIRED, name]
    assert.equal(judge(signMessageByHand({ covered, values: { [name]: value } })), 'accepted', name)
    assert.equal(judge(signMessageByHand({ covered, values: { [name]: `${value}x` } })), 'key', name)
  }
  assert.equal(judge({ ...signMessageByHand({}), url: 'https://linnet.test/inbox?x' }), 'key')
})

test('IN7 a time that is none is refused', () => {
  for (const created of ['"1"', '-1', '1e20', '1.5', 'now', '999999999999', '99999999999999999999']) {
    assert.equal(judge(signMessageByHand({ params: { created } })), 'malformed', created)
    assert.equal(judge(signMessageByHand({ params: { expires: created } })), 'malformed', created)
  }
  assert.equal(judge(signMessageByHand({ params: { created: 99_999_999_999 } })), 'time')
})

test('components with parameters, or written in upper case, are not understood', () => {
  for (const name of [
    '"content-digest";sf',
    '"content-digest";key="sha-256"',
    '"Content-Digest"',
    'date',
    '"@query-param";name="x"',
  ]) {
    assert.equal(judge(signMessageByHand({ covered: [...REQUIRED, name] })), 'malformed', name)
  }
})

test('IN7 a signature needs both of its headers, and both have to be whole', () => {
  const request = signMessageByHand({})
  const { signature: _, ...without } = request.headers
  assert.equal(judge({ ...request, headers: without }), 'malformed')
  for (const [from, to] of [
    ['sig1=:', 'sig2=:'],
    [/:$/, ''],
    [/$/, ','],
    ['sig1=(', 'sig1='],
    [/:.*:/, '::'],
    [/:.*:/, `:${'A'.repeat(4000)}:`],
  ] as [string | RegExp, string][]) {
    assert.equal(judge(rewrite(request, from, to)), 'malformed', `${from}`)
  }
})

test('IN7 a header of 64 KB is put aside unread', () => {
  const before = process.threadCpuUsage()
  for (const input of [
    '('.repeat(65_536),
    'sig1=("a";'.repeat(6000),
    'a,'.repeat(30_000),
    `a="${'\\'.repeat(65_000)}`,
  ]) {
    const headers = { ...post().headers, 'signature-input': input, signature: 'sig1=:AAAA:' }
    assert.equal(judge(arrive({ ...post(), headers })), 'malformed')
  }
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 100_000)
})

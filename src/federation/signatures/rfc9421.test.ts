// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  toIncoming,
  rejectionReasonOf,
  post,
  rewriteHeaders,
  signAndReceive,
  signMessageManually,
} from '../../../test/federation/signed-requests.ts'

const HOUR = 3_600_000
const nowSeconds = () => Math.floor(Date.now() / 1000)
const REQUIRED = ['"@method"', '"@target-uri"', '"content-digest"']

test('a signature is valid for an hour around its creation, however late it expires', async () => {
  const now = new Date()
  const request = await signAndReceive(post(), { spec: 'rfc9421', now })
  const after = (hours: number) => rejectionReasonOf({ ...request, now: new Date(now.getTime() + hours * HOUR) })
  assert.deepEqual([-0.9, 0, 0.9].map(after), ['accepted', 'accepted', 'accepted'])
  assert.deepEqual([-1.1, 1.1, 5000].map(after), ['time', 'time', 'time'])

  for (const seconds of [60, 3_600, 7_200, 30 * 86_400]) {
    const lasting = signMessageManually({ params: { expires: nowSeconds() + seconds } })
    const later = (hours: number) => rejectionReasonOf({ ...lasting, now: new Date(Date.now() + hours * HOUR) })
    assert.deepEqual([-0.9, 0.9, 1.1, -1.1].map(later), ['accepted', 'accepted', 'time', 'time'], `${seconds} s`)
  }
})

test('a signature that expired before its creation is valid for an hour after it expired', () => {
  const short = signMessageManually({ params: { expires: nowSeconds() - 1_800 } })
  const later = (hours: number) => rejectionReasonOf({ ...short, now: new Date(Date.now() + hours * HOUR) })
  assert.deepEqual([0, 0.4, 0.6].map(later), ['accepted', 'accepted', 'time'])
})

test('RSA-SHA256 is the only algorithm, named or not', () => {
  assert.equal(rejectionReasonOf(signMessageManually({ params: { alg: '"rsa-v1_5-sha256"' } })), 'accepted')
  assert.equal(rejectionReasonOf(signMessageManually({})), 'accepted')
  for (const alg of ['"rsa-pss-sha512"', '"hmac-sha256"', '"ed25519"', '"constructor"']) {
    assert.equal(rejectionReasonOf(signMessageManually({ params: { alg } })), 'algorithm', alg)
  }
  assert.equal(rejectionReasonOf(signMessageManually({ params: { alg: 'rsa-v1_5-sha256' } })), 'malformed')
})

test('a signature with the supported algorithm is found among others', () => {
  const request = signMessageManually({ params: { alg: '"rsa-v1_5-sha256"' } })
  const headers = {
    ...request.headers,
    'signature-input': `sig0=("@method");keyid="https://a.test/k";alg="ed25519", ${request.headers['signature-input']}`,
    signature: `sig0=:AAAA:, ${request.headers['signature']}`,
  }
  assert.equal(rejectionReasonOf({ ...request, headers }), 'accepted')
})

test('IN1 method, target, digest and time of creation must be signed', () => {
  for (const name of REQUIRED) {
    assert.equal(
      rejectionReasonOf(signMessageManually({ covered: REQUIRED.filter((one) => one !== name) })),
      'coverage',
      name,
    )
  }
  assert.equal(rejectionReasonOf(signMessageManually({ params: { created: null } })), 'coverage')
  for (const name of ['"x-absent"', '"@status"', '"@constructor"', '"__proto__"']) {
    assert.equal(rejectionReasonOf(signMessageManually({ covered: [...REQUIRED, name] })), 'coverage', name)
  }
})

test('derived components have the values of RFC 9421', () => {
  const values = {
    '"@authority"': 'linnet.test',
    '"@scheme"': 'https',
    '"@path"': '/inbox',
    '"@query"': '?',
    '"@request-target"': '/inbox',
  }
  for (const [name, value] of Object.entries(values)) {
    const covered = [...REQUIRED, name]
    assert.equal(rejectionReasonOf(signMessageManually({ covered, values: { [name]: value } })), 'accepted', name)
    assert.equal(rejectionReasonOf(signMessageManually({ covered, values: { [name]: `${value}x` } })), 'key', name)
  }
  assert.equal(rejectionReasonOf({ ...signMessageManually({}), url: 'https://linnet.test/inbox?x' }), 'key')
})

test('IN7 an invalid time is refused', () => {
  for (const created of ['"1"', '-1', '1e20', '1.5', 'now', '999999999999', '99999999999999999999']) {
    assert.equal(rejectionReasonOf(signMessageManually({ params: { created } })), 'malformed', created)
    assert.equal(rejectionReasonOf(signMessageManually({ params: { expires: created } })), 'malformed', created)
  }
  assert.equal(rejectionReasonOf(signMessageManually({ params: { created: 99_999_999_999 } })), 'time')
})

test('components with parameters or in upper case are refused', () => {
  for (const name of [
    '"content-digest";sf',
    '"content-digest";key="sha-256"',
    '"Content-Digest"',
    'date',
    '"@query-param";name="x"',
  ]) {
    assert.equal(rejectionReasonOf(signMessageManually({ covered: [...REQUIRED, name] })), 'malformed', name)
  }
})

test('IN7 a signature needs both of its headers, and both must be well-formed', () => {
  const request = signMessageManually({})
  const { signature: _, ...without } = request.headers
  assert.equal(rejectionReasonOf({ ...request, headers: without }), 'malformed')
  for (const [from, to] of [
    ['sig1=:', 'sig2=:'],
    [/:$/, ''],
    [/$/, ','],
    ['sig1=(', 'sig1='],
    [/:.*:/, '::'],
    [/:.*:/, `:${'A'.repeat(4000)}:`],
  ] as [string | RegExp, string][]) {
    assert.equal(rejectionReasonOf(rewriteHeaders(request, from, to)), 'malformed', `${from}`)
  }
})

test('IN7 a header of 64 KB is refused unparsed', () => {
  const before = process.threadCpuUsage()
  for (const input of [
    '('.repeat(65_536),
    'sig1=("a";'.repeat(6000),
    'a,'.repeat(30_000),
    `a="${'\\'.repeat(65_000)}`,
  ]) {
    const headers = { ...post().headers, 'signature-input': input, signature: 'sig1=:AAAA:' }
    assert.equal(rejectionReasonOf(toIncoming({ ...post(), headers })), 'malformed')
  }
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 100_000)
})

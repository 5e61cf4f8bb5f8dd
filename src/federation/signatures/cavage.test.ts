// In a process of its own: measures processor time, of which the garbage collection of other files would be a part.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  toIncoming,
  get,
  rejectionReasonOf,
  post,
  rewriteHeaders,
  signAndReceive,
  signCavageManually,
} from '../../../test/federation/signed-requests.ts'

const HOUR = 3_600_000
const nowSeconds = () => Math.floor(Date.now() / 1000)

test('a signature is valid for twelve hours around its date', async () => {
  const now = new Date()
  const request = await signAndReceive(post(), { spec: 'cavage', now })
  const after = (hours: number) => rejectionReasonOf({ ...request, now: new Date(now.getTime() + hours * HOUR) })
  assert.deepEqual([-11.9, 0, 11.9].map(after), ['accepted', 'accepted', 'accepted'])
  assert.deepEqual([-12.1, 12.1, 5000].map(after), ['time', 'time', 'time'])
})

test('(created) can replace the date, and the signature expires an hour after (expires)', () => {
  const covered = ['(request-target)', 'host', '(created)', '(expires)', 'digest']
  const created = String(nowSeconds())
  const withExpiry = (expires: number) =>
    signCavageManually({ covered, params: { algorithm: '"hs2019"', created, expires: String(expires) } })
  assert.equal(rejectionReasonOf(withExpiry(nowSeconds() + 60)), 'accepted')
  assert.equal(rejectionReasonOf(withExpiry(nowSeconds() - 3500)), 'accepted')
  assert.equal(rejectionReasonOf(withExpiry(nowSeconds() - 3700)), 'time')
  const old = { algorithm: '"hs2019"', created: String(nowSeconds() - 13 * 3600), expires: String(nowSeconds() + 60) }
  assert.equal(rejectionReasonOf(signCavageManually({ covered, params: old })), 'time')
})

test('hs2019, rsa-sha256 and no algorithm all mean RSA-SHA256; no other algorithm is accepted', () => {
  for (const algorithm of ['"hs2019"', '"rsa-sha256"', '"RSA-SHA256"', 'hs2019']) {
    assert.equal(rejectionReasonOf(signCavageManually({ params: { algorithm } })), 'accepted', algorithm)
  }
  assert.equal(rejectionReasonOf(signCavageManually({})), 'accepted')
  for (const algorithm of ['"rsa-sha1"', '"hmac-sha256"', '"none"', '"ed25519"', '"constructor"']) {
    assert.equal(rejectionReasonOf(signCavageManually({ params: { algorithm } })), 'algorithm', algorithm)
  }
})

test('the request target may be signed with or without its query, and no other target is accepted', () => {
  const url = 'https://linnet.test/inbox?page=1'
  const signed = (target: string) => rejectionReasonOf({ ...signCavageManually({ target }), url })
  assert.equal(signed('post /inbox?page=1'), 'accepted')
  assert.equal(signed('post /inbox'), 'accepted')
  for (const target of ['post /inbox?page=2', 'get /inbox', 'post /outbox', 'post /']) {
    assert.equal(signed(target), 'key', target)
  }
})

test('the required components depend on the method: a GET has no digest', async () => {
  const request = await signAndReceive(get('https://linnet.test/users/1'), { spec: 'cavage' })
  assert.match(request.headers['signature']!, /headers="\(request-target\) host date"/)
  assert.equal(rejectionReasonOf(request), 'accepted')
  assert.equal(rejectionReasonOf({ ...request, method: 'POST' }), 'coverage')
})

test('IN1 target, host, digest and a time must be signed', () => {
  const full = ['(request-target)', 'host', 'date', 'digest']
  for (const name of full) {
    assert.equal(
      rejectionReasonOf(signCavageManually({ covered: full.filter((one) => one !== name) })),
      'coverage',
      name,
    )
  }
  assert.equal(rejectionReasonOf(rewriteHeaders(signCavageManually({}), /headers="[^"]+",/, '')), 'coverage')
  assert.equal(rejectionReasonOf(signCavageManually({ covered: [...full, '(created)'] })), 'coverage')
  const created = String(nowSeconds())
  const params = { algorithm: '"rsa-sha256"', created }
  assert.equal(rejectionReasonOf(signCavageManually({ covered: [...full, '(created)'], params })), 'coverage')
  assert.equal(rejectionReasonOf(signCavageManually({ covered: [...full, '(other)'] })), 'coverage')
  assert.equal(rejectionReasonOf(signCavageManually({ covered: [...full, '__proto__'] })), 'coverage')
})

test('IN1 every digest of a supported algorithm must match, and there must be at least one', () => {
  const right = signCavageManually({}).headers['digest']!
  assert.equal(
    rejectionReasonOf(signCavageManually({ headers: { digest: `${right.replace('SHA', 'sha')},UNIXSUM=1` } })),
    'accepted',
  )
  const wrong = ['SHA-256=', 'SHA-256=AAAA', 'MD5=AAAA', '', `${right},SHA-512=AAAA`, `${right},${right}`, `${right}:`]
  for (const digest of wrong)
    assert.equal(rejectionReasonOf(signCavageManually({ headers: { digest } })), 'digest', digest)
})

test('IN7 an invalid date is refused', () => {
  for (const date of ['yesterday', '1e20', '-1', '', '2026-11-20T00:00:00Z', 'Fri, 99 Nov 2026 00:00:00 GMT']) {
    assert.equal(rejectionReasonOf(signCavageManually({ headers: { date } })), 'time', date)
  }
  const covered = ['(request-target)', 'host', '(created)', 'digest']
  for (const created of ['soon', '1e20', '-1', '""', '"1 1"', '1.5', '999999999999']) {
    assert.equal(rejectionReasonOf(signCavageManually({ covered, params: { created } })), 'malformed', created)
  }
  assert.equal(rejectionReasonOf(signCavageManually({ covered, params: { created: '0' } })), 'time')
  assert.equal(rejectionReasonOf(signCavageManually({ covered, params: { created: '99999999999' } })), 'time')
})

test('IN7 a header of 64 KB is refused unparsed', () => {
  const before = process.threadCpuUsage()
  for (const signature of ['a="'.repeat(20_000), '"'.repeat(65_536), 'a=b,'.repeat(16_384), '\\'.repeat(65_536)]) {
    assert.equal(rejectionReasonOf(toIncoming({ ...post(), headers: { ...post().headers, signature } })), 'malformed')
  }
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 100_000)
})

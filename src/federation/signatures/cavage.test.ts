import assert from 'node:assert/strict'
import { test } from 'node:test'
import { arrive, get, judge, post, rewrite, signAndArrive, signCavageByHand } from '../../../test/signed.ts'

const HOUR = 3_600_000
const nowSeconds = () => Math.floor(Date.now() / 1000)

test('a signature counts for twelve hours around its date', async () => {
  const now = new Date()
  const request = await signAndArrive(post(), { spec: 'cavage', now })
  const after = (hours: number) => judge({ ...request, now: new Date(now.getTime() + hours * HOUR) })
  assert.deepEqual([-11.9, 0, 11.9].map(after), ['accepted', 'accepted', 'accepted'])
  assert.deepEqual([-12.1, 12.1, 5000].map(after), ['time', 'time', 'time'])
})

test('(created) may stand for the date, and (expires) ends it, an hour late', () => {
  const covered = ['(request-target)', 'host', '(created)', '(expires)', 'digest']
  const created = String(nowSeconds())
  const withExpiry = (expires: number) =>
    signCavageByHand({ covered, params: { algorithm: '"hs2019"', created, expires: String(expires) } })
  assert.equal(judge(withExpiry(nowSeconds() + 60)), 'accepted')
  assert.equal(judge(withExpiry(nowSeconds() - 3500)), 'accepted')
  assert.equal(judge(withExpiry(nowSeconds() - 3700)), 'time')
  const old = { algorithm: '"hs2019"', created: String(nowSeconds() - 13 * 3600), expires: String(nowSeconds() + 60) }
  assert.equal(judge(signCavageByHand({ covered, params: old })), 'time')
})

test('hs2019, rsa-sha256 and silence all mean RSA-SHA256; nothing else is taken', () => {
  for (const algorithm of ['"hs2019"', '"rsa-sha256"', '"RSA-SHA256"', 'hs2019']) {
    assert.equal(judge(signCavageByHand({ params: { algorithm } })), 'accepted', algorithm)
  }
  assert.equal(judge(signCavageByHand({})), 'accepted')
  for (const algorithm of ['"rsa-sha1"', '"hmac-sha256"', '"none"', '"ed25519"', '"constructor"']) {
    assert.equal(judge(signCavageByHand({ params: { algorithm } })), 'algorithm', algorithm)
  }
})

test('the target is signed with its query or without, and with nothing else', () => {
  const url = 'https://linnet.test/inbox?page=1'
  const signed = (target: string) => judge({ ...signCavageByHand({ target }), url })
  assert.equal(signed('post /inbox?page=1'), 'accepted')
  assert.equal(signed('post /inbox'), 'accepted')
  for (const target of ['post /inbox?page=2', 'get /inbox', 'post /outbox', 'post /']) {
    assert.equal(signed(target), 'key', target)
  }
})

test('what has to be signed differs with the method: a GET has no digest', async () => {
  const request = await signAndArrive(get('https://linnet.test/users/1'), { spec: 'cavage' })
  assert.match(request.headers['signature']!, /headers="\(request-target\) host date"/)
  assert.equal(judge(request), 'accepted')
  assert.equal(judge({ ...request, method: 'POST' }), 'coverage')
})

test('IN1 target, host, digest and a time have to be signed', () => {
  const full = ['(request-target)', 'host', 'date', 'digest']
  for (const name of full) {
    assert.equal(judge(signCavageByHand({ covered: full.filter((one) => one !== name) })), 'coverage', name)
  }
  assert.equal(judge(rewrite(signCavageByHand({}), /headers="[^"]+",/, '')), 'coverage')
  assert.equal(judge(signCavageByHand({ covered: [...full, '(created)'] })), 'coverage')
  const created = String(nowSeconds())
  const params = { algorithm: '"rsa-sha256"', created }
  assert.equal(judge(signCavageByHand({ covered: [...full, '(created)'], params })), 'coverage')
  assert.equal(judge(signCavageByHand({ covered: [...full, '(other)'] })), 'coverage')
  assert.equal(judge(signCavageByHand({ covered: [...full, '__proto__'] })), 'coverage')
})

test('IN1 every digest of a known kind has to be right, and one has to be there', () => {
  const right = signCavageByHand({}).headers['digest']!
  assert.equal(judge(signCavageByHand({ headers: { digest: `${right.replace('SHA', 'sha')},UNIXSUM=1` } })), 'accepted')
  const wrong = ['SHA-256=', 'SHA-256=AAAA', 'MD5=AAAA', '', `${right},SHA-512=AAAA`, `${right},${right}`, `${right}:`]
  for (const digest of wrong) assert.equal(judge(signCavageByHand({ headers: { digest } })), 'digest', digest)
})

test('IN7 a date that is none is no date', () => {
  for (const date of ['yesterday', '1e20', '-1', '', '2026-11-20T00:00:00Z', 'Fri, 99 Nov 2026 00:00:00 GMT']) {
    assert.equal(judge(signCavageByHand({ headers: { date } })), 'time', date)
  }
  const covered = ['(request-target)', 'host', '(created)', 'digest']
  for (const created of ['soon', '1e20', '-1', '""', '"1 1"', '1.5', '999999999999']) {
    assert.equal(judge(signCavageByHand({ covered, params: { created } })), 'malformed', created)
  }
  assert.equal(judge(signCavageByHand({ covered, params: { created: '0' } })), 'time')
  assert.equal(judge(signCavageByHand({ covered, params: { created: '99999999999' } })), 'time')
})

test('IN7 a header of 64 KB is put aside unread', () => {
  const before = process.threadCpuUsage()
  for (const signature of ['a="'.repeat(20_000), '"'.repeat(65_536), 'a=b,'.repeat(16_384), '\\'.repeat(65_536)]) {
    assert.equal(judge(arrive({ ...post(), headers: { ...post().headers, signature } })), 'malformed')
  }
  const { user, system } = process.threadCpuUsage(before)
  assert.ok(user + system < 100_000)
})

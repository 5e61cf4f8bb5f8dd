import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TooManyRequestsError } from '../../lib/errors.ts'
import { hashPassword, isOutdated, passwordProblem, verifyPassword } from './passwords.ts'

test('a password matches its own hash and no other', async () => {
  const hash = await hashPassword('correct horse battery')
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  assert.equal(await verifyPassword(hash, 'correct horse battery'), true)
  assert.equal(await verifyPassword(hash, 'correct horse batterz'), false)
  assert.notEqual(await hashPassword('correct horse battery'), hash, 'each hash has its own salt')
})

test('a composed and a decomposed accented letter are the same in a password', async () => {
  const hash = await hashPassword('cafe\u0301 au lait')
  assert.equal(await verifyPassword(hash, 'caf\u00e9 au lait'), true)
})

test('AC1: without a hash, verification returns false after the same work', async () => {
  const hash = await hashPassword('correct horse battery')
  const time = async (storedHash: string | null) => {
    const start = process.cpuUsage()
    assert.equal(await verifyPassword(storedHash, 'something else'), false)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  await time(null)
  const times = { unknown: await time(null), known: await time(hash) }
  assert.ok(times.unknown > times.known / 4, `an unknown user took ${times.unknown} µs, a known one ${times.known} µs`)
})

test('AC1: no password matches a hash of an unknown format', async () => {
  assert.equal(await verifyPassword('$2a$10$abcdefghijklmnopqrstuv', 'correct horse battery'), false)
})

test('OA17: passwords have 8 to 128 characters, and a longer one is refused without hashing', async () => {
  assert.equal(passwordProblem('')?.code, 'ERR_BLANK')
  assert.equal(passwordProblem('1234567')?.code, 'ERR_TOO_SHORT')
  assert.equal(passwordProblem('12345678'), null)
  assert.equal(passwordProblem('\u{1f600}'.repeat(128)), null)
  assert.equal(passwordProblem('a'.repeat(129))?.code, 'ERR_TOO_LONG')
  assert.equal(passwordProblem('a'.repeat(1_000_000))?.code, 'ERR_TOO_LONG')
  const start = performance.now()
  for (let count = 0; count < 200; count += 1) assert.equal(await verifyPassword(null, 'a'.repeat(1_000_000)), false)
  assert.ok(performance.now() - start < 1_000)
})

test('OA17: of 100 concurrent verifications, 42 run or wait and the others are refused', async () => {
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => verifyPassword(null, 'correct horse')))
  const refused = results.filter((result) => result.status === 'rejected')
  assert.equal(refused.length, 58)
  assert.ok(refused.every((result) => result.reason instanceof TooManyRequestsError))
  assert.equal(await verifyPassword(null, 'correct horse'), false, 'verification works again afterwards')
})

test('a hash with lower cost parameters is outdated', async () => {
  assert.equal(isOutdated(await hashPassword('correct horse battery')), false)
  assert.equal(isOutdated('$argon2id$v=19$m=4096,t=3,p=1$c2FsdHNhbHQ$aGFzaGhhc2g'), true)
  assert.equal(isOutdated('$2a$10$abcdefghijklmnopqrstuv'), true)
})

import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import ece from 'http_ece'
import { encryptPush, isSubscriptionPublicKey, MAX_PUSH_BYTES } from './encrypt-push.ts'

const program = createECDH('prime256v1')
const keys = { p256dh: program.generateKeys(), auth: randomBytes(16) }
const own = { privateKey: program, authSecret: keys.auth.toString('base64url') }
const read = (text: string | undefined) => /^(?:salt|dh)=([\w-]+)$/.exec(text ?? '')?.[1]

function decrypt({ body, headers }: ReturnType<typeof encryptPush>): Buffer {
  if (headers['content-encoding'] === 'aes128gcm') return ece.decrypt(body, { ...own, version: 'aes128gcm' })
  const parameters = { salt: read(headers['encryption']), dh: read(headers['crypto-key']) }
  return ece.decrypt(body, { ...own, ...parameters, version: 'aesgcm' })
}

test('another implementation decrypts messages of both standards; they are within the limit of services', () => {
  const message = fc.uint8Array({ maxLength: MAX_PUSH_BYTES, size: 'max' })
  fc.assert(
    fc.property(message, fc.boolean(), (bytes, standard) => {
      const push = encryptPush(Buffer.from(bytes), { keys, standard })
      assert.ok(push.body.length <= 4096)
      assert.deepEqual(decrypt(push), Buffer.from(bytes))
    }),
    {
      numRuns: 50,
      examples: [
        [new Uint8Array(MAX_PUSH_BYTES), true],
        [new Uint8Array(0), false],
      ],
    },
  )
})

test('the same message is never encrypted with the same key', () => {
  for (const standard of [true, false]) {
    const bodies = Array.from({ length: 20 }, () => encryptPush(Buffer.from('x'), { keys, standard }).body)
    assert.equal(new Set(bodies.map((body) => body.toString('hex'))).size, 20)
  }
})

test('a message that is too long is rejected', () => {
  assert.throws(() => encryptPush(Buffer.alloc(MAX_PUSH_BYTES + 1), { keys, standard: true }), /too many/)
})

test('WP1 only an uncompressed point of the curve is a valid key', () => {
  const invalidPoint = Buffer.from(keys.p256dh)
  invalidPoint[64]! ^= 1
  const others = [invalidPoint, Buffer.alloc(65, 4), keys.p256dh.subarray(0, 64), Buffer.alloc(0)]
  const compressed = createECDH('prime256v1').generateKeys(null, 'compressed')
  assert.deepEqual([keys.p256dh, ...others, compressed].map(isSubscriptionPublicKey), [
    true,
    false,
    false,
    false,
    false,
    false,
  ])
})

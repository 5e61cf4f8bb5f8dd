import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSecrets } from '../../platform/secrets.ts'
import { decryptPrivateKey, encryptPrivateKey, generateActorKeyPair, parsePublicKey } from './keys.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'linnet-keys-'))
after(() => rm(dataDir, { recursive: true }))
const secrets = await openSecrets(dataDir)

test('a key pair is generated off the main thread', async () => {
  let ticks = 0
  const timer = setInterval(() => (ticks += 1), 1)
  const pairs = await Promise.all([1, 2, 3].map(async () => generateActorKeyPair(secrets)))
  clearInterval(timer)
  assert.ok(ticks > 0)
  for (const { publicKeyPem } of pairs) assert.match(publicKeyPem, /^-----BEGIN PUBLIC KEY-----\n/)
})

test('a private key is stored encrypted, and can be decrypted for its own id only', async () => {
  const { publicKeyPem, privateKey } = await generateActorKeyPair(secrets)
  const keyId = 'https://linnet.test/ap/users/1#main-key'
  const encrypted = encryptPrivateKey(secrets, { keyId, privateKey })
  assert.ok(!encrypted.includes(privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(40, 80)))
  const decrypted = decryptPrivateKey(secrets, { keyId, encrypted })
  const signature = sign('sha256', Buffer.from('x'), decrypted.privateKey)
  assert.ok(verify('sha256', Buffer.from('x'), parsePublicKey(publicKeyPem)!, signature))
  assert.throws(() => decryptPrivateKey(secrets, { keyId: 'https://linnet.test/ap/users/2#main-key', encrypted }))
})

test('public keys are parsed in all common formats, and anything else is refused', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const spki = rsa.publicKey.export({ type: 'spki', format: 'pem' })
  const pkcs1 = rsa.publicKey.export({ type: 'pkcs1', format: 'pem' })
  for (const pem of [spki, pkcs1, `\n${spki}\n`, spki.replaceAll('\n', '\r\n'), spki.trimEnd()]) {
    assert.equal(parsePublicKey(pem)?.equals(createPublicKey(spki)), true, pem)
  }
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
  const curve = generateKeyPairSync('ed25519').publicKey
  const slow = generateKeyPairSync('rsa', { modulusLength: 2048, publicExponent: 65_537 }).privateKey
  const refused = [
    small.export({ type: 'spki', format: 'pem' }),
    curve.export({ type: 'spki', format: 'pem' }),
    slow.export({ type: 'pkcs8', format: 'pem' }),
    spki.replace('A', '!'),
    spki + ' '.repeat(20_000),
    '-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----',
    '',
    null,
    7,
    { toString: () => spki },
  ]
  for (const pem of refused) assert.equal(parsePublicKey(pem), null, String(pem).slice(0, 60))
})

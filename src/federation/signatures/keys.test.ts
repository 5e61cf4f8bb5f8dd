import assert from 'node:assert/strict'
import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openSecrets } from '../../platform/secrets.ts'
import { makeKeyPair, openPrivateKey, readPublicKey, sealPrivateKey } from './keys.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'linnet-keys-'))
after(() => rm(dataDir, { recursive: true }))

test('a key pair is made while the program goes on', async () => {
  let turns = 0
  const turn = setInterval(() => (turns += 1), 1)
  const pairs = await Promise.all([makeKeyPair(), makeKeyPair(), makeKeyPair()])
  clearInterval(turn)
  assert.ok(turns > 0)
  for (const { publicKeyPem } of pairs) assert.match(publicKeyPem, /^-----BEGIN PUBLIC KEY-----\n/)
})

test('a private key is stored unreadable, and comes back for its own id only', async () => {
  const secrets = await openSecrets(dataDir)
  const { publicKeyPem, privateKey } = await makeKeyPair()
  const keyId = 'https://linnet.test/ap/users/1#main-key'
  const sealed = sealPrivateKey(secrets, { keyId, privateKey })
  assert.ok(!sealed.includes(privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(40, 80)))
  const opened = openPrivateKey(secrets, { keyId, sealed })
  const signature = sign('sha256', Buffer.from('x'), opened.privateKey)
  assert.ok(verify('sha256', Buffer.from('x'), readPublicKey(publicKeyPem)!, signature))
  assert.throws(() => openPrivateKey(secrets, { keyId: 'https://linnet.test/ap/users/2#main-key', sealed }))
})

test('public keys are read as others write them, and nothing else is', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const spki = rsa.publicKey.export({ type: 'spki', format: 'pem' })
  const pkcs1 = rsa.publicKey.export({ type: 'pkcs1', format: 'pem' })
  for (const pem of [spki, pkcs1, `\n${spki}\n`, spki.replaceAll('\n', '\r\n'), spki.trimEnd()]) {
    assert.equal(readPublicKey(pem)?.equals(createPublicKey(spki)), true, pem)
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
  for (const pem of refused) assert.equal(readPublicKey(pem), null, String(pem).slice(0, 60))
})

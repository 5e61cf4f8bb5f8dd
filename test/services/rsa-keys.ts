import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * RSA key pairs for tests. Each is generated once per checkout, because generating one takes longer than most tests.
 * Only `src/federation/signatures/keys.test.ts` generates keys as the server does.
 */
const FOLDER = new URL('../../node_modules/.cache/linnet/test-keys/', import.meta.url).pathname

/** Far more than one test uses, so that two actors of a test never have the same key. */
const COUNT = 64

export interface TestKeyPair {
  publicKeyPem: string
  publicKey: KeyObject
  privateKey: KeyObject
}

const loaded = new Map<number, TestKeyPair>()
let taken = 0

/** Returns the next key pair; after all have been taken, the first one again. */
export function takeKeyPair(): TestKeyPair {
  const index = taken++ % COUNT
  const pair = loaded.get(index) ?? loadKeyPair(join(FOLDER, `${index}.pem`))
  loaded.set(index, pair)
  return pair
}

function loadKeyPair(path: string): TestKeyPair {
  const privateKey = createPrivateKey(readPem(path) ?? createPem(path))
  const publicKey = createPublicKey(privateKey)
  return { privateKey, publicKey, publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }) }
}

function readPem(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function createPem(path: string): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  mkdirSync(FOLDER, { recursive: true })
  // Another process that reads the file never finds half of it.
  writeFileSync(`${path}.${process.pid}`, pem)
  renameSync(`${path}.${process.pid}`, path)
  return pem
}

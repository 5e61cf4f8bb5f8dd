import { createPrivateKey, createPublicKey, generateKeyPair } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import type { Secrets } from '../../platform/secrets.ts'

const MODULUS_BITS = 2048
const MAX_MODULUS_BITS = 8192
const MAX_PUBLIC_EXPONENT = 2n ** 32n
const MAX_PEM_LENGTH = 16_384

/** A key of ours, and the address under which others find its public half. */
export interface SigningKey {
  keyId: string
  privateKey: KeyObject
}

export interface KeyPair {
  publicKeyPem: string
  privateKey: KeyObject
}

const generate = promisify(generateKeyPair)

/** Makes an RSA key pair, off the main thread: it takes a tenth of a second. */
export async function makeKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS })
  return { publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }), privateKey }
}

/** Encrypts a private key for storage, bound to its id. */
export function sealPrivateKey(secrets: Secrets, { keyId, privateKey }: SigningKey): Buffer {
  return secrets.encrypt(purposeOf(keyId), privateKey.export({ type: 'pkcs8', format: 'der' }))
}

/** @throws Error when it was not sealed here for this id */
export function openPrivateKey(secrets: Secrets, { keyId, sealed }: { keyId: string; sealed: Buffer }): SigningKey {
  const der = secrets.decrypt(purposeOf(keyId), sealed)
  return { keyId, privateKey: createPrivateKey({ key: der, type: 'pkcs8', format: 'der' }) }
}

const purposeOf = (keyId: string): string => `private key of ${keyId}`

/**
 * Reads another server's public key; null for everything that is no RSA key of a size worth trusting and cheap enough
 * to check with.
 */
export function readPublicKey(pem: unknown): KeyObject | null {
  if (typeof pem !== 'string' || pem.length > MAX_PEM_LENGTH) return null
  if (!/^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return null
  try {
    const key = createPublicKey(pem)
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
    const fits = modulusLength >= MODULUS_BITS && modulusLength <= MAX_MODULUS_BITS
    return key.asymmetricKeyType === 'rsa' && fits && publicExponent <= MAX_PUBLIC_EXPONENT ? key : null
  } catch {
    return null
  }
}

import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Secrets } from '../../platform/secrets.ts'

const MIN_MODULUS_BITS = 2048
const MAX_MODULUS_BITS = 8192
const MAX_PUBLIC_EXPONENT = 2n ** 32n
const MAX_PEM_LENGTH = 16_384

/** A private key of this server, and the id under which other servers find the public key. */
export interface SigningKey {
  keyId: string
  privateKey: KeyObject
}

export interface KeyPair {
  publicKeyPem: string
  privateKey: KeyObject
}

/** Generates a key pair for an actor. */
export async function generateActorKeyPair(secrets: Secrets): Promise<KeyPair> {
  const { publicKey, privateKey } = await secrets.generateRsaKeyPair()
  return { publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }), privateKey }
}

/** Encrypts a private key for storage, bound to its id. */
export function encryptPrivateKey(secrets: Secrets, { keyId, privateKey }: SigningKey): Buffer {
  return secrets.encrypt(encryptionPurposeOf(keyId), privateKey.export({ type: 'pkcs8', format: 'der' }))
}

/** Decrypts a stored private key. @throws Error if it was not encrypted with the server's secret for this id */
export function decryptPrivateKey(
  secrets: Secrets,
  { keyId, encrypted }: { keyId: string; encrypted: Buffer },
): SigningKey {
  const der = secrets.decrypt(encryptionPurposeOf(keyId), encrypted)
  return { keyId, privateKey: createPrivateKey({ key: der, type: 'pkcs8', format: 'der' }) }
}

const encryptionPurposeOf = (keyId: string): string => `private key of ${keyId}`

/**
 * Parses the public key of a remote server. Returns null for anything but an RSA key that is long enough to trust (2048
 * bits) and short enough to verify cheaply (8192 bits).
 */
export function parsePublicKey(pem: unknown): KeyObject | null {
  if (typeof pem !== 'string' || pem.length > MAX_PEM_LENGTH) return null
  if (!/^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) return null
  try {
    const key = createPublicKey(pem)
    const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {}
    const fits = modulusLength >= MIN_MODULUS_BITS && modulusLength <= MAX_MODULUS_BITS
    return key.asymmetricKeyType === 'rsa' && fits && publicExponent <= MAX_PUBLIC_EXPONENT ? key : null
  } catch {
    return null
  }
}

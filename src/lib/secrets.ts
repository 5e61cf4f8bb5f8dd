import { hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A fresh secret of 256 bits in URL-safe text, for tokens, codes and client secrets. */
export function makeSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** What is stored of a secret: SHA-256 is enough, because what it hides has 256 bits of its own. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Compares two texts in a time that tells nothing of where they differ. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hashSecret(a), hashSecret(b))
}

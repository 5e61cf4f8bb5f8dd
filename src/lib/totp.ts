import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const STEP_SECONDS = 30
const DIGITS = 6
const SECRET_BYTES = 20
/** How many steps a clock may be early or late (RFC 6238 §5.2). */
const TOLERANCE_STEPS = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns a new secret for an authenticator app, as long as the hash (RFC 4226 §4). */
export function generateTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES)
}

/** Returns bytes as Base32 without padding (RFC 4648 §6), as users type secrets into apps. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => BASE32[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** Returns the code of a time step: HMAC-SHA-1, six digits (RFC 4226 §5.3). */
export function totpCode(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const number = mac.readUInt32BE(mac[mac.length - 1]! & 15) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** Returns the time step of a moment (RFC 6238 §4.2). */
export function totpStep(now: Date): number {
  return Math.floor(now.getTime() / 1_000 / STEP_SECONDS)
}

/**
 * Returns the newest time step around a moment that has a code; null if none has. Accepts Arabic and Persian digits, as
 * keyboards of these languages have, and ignores white space and characters that set the direction of text.
 */
export function findTotpStep(secret: Uint8Array, { code, now }: { code: string; now: Date }): number | null {
  const digits = code
    .replaceAll(/[\s\p{Cf}]/gu, '')
    .replaceAll(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
  if (!/^\d{6}$/.test(digits)) return null
  let found: number | null = null
  const latest = totpStep(now) + TOLERANCE_STEPS
  // All steps are compared, so that the time does not depend on which one has the code.
  for (let step = latest - 2 * TOLERANCE_STEPS; step <= latest; step += 1)
    if (timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(digits))) found = step
  return found
}

/** Returns the URI that an authenticator app reads from a QR code (Google Authenticator: Key URI Format). */
export function totpUri({ secret, issuer, label }: { secret: Uint8Array; issuer: string; label: string }): string {
  const name = `${encodeURIComponent(issuer)}:${encodeURIComponent(label)}`
  return `otpauth://totp/${name}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`
}

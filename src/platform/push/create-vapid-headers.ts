import type { Secrets } from '../secrets.ts'

/** Validity of a VAPID token. RFC 8292 allows at most a day. */
const TOKEN_LIFETIME_SECONDS = 12 * 3_600

/**
 * Returns the headers that identify this server to a push service (VAPID): RFC 8292, or its first draft with
 * `standard: false`, whose `crypto-key` is joined with that of the encryption. `contact`: a `mailto:` or `https:` URL
 * of the administrator.
 */
export function createVapidHeaders(
  { vapidPublicKey, signVapid }: Pick<Secrets, 'vapidPublicKey' | 'signVapid'>,
  { endpoint, contact, now, standard }: { endpoint: string; contact: string; now: Date; standard: boolean },
): Record<string, string> {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1000) + TOKEN_LIFETIME_SECONDS,
    sub: contact,
  }
  const signed = `${encodeJwtPart({ typ: 'JWT', alg: 'ES256' })}.${encodeJwtPart(claims)}`
  const token = `${signed}.${signVapid(signed).toString('base64url')}`
  if (standard) return { authorization: `vapid t=${token}, k=${vapidPublicKey}` }
  return { authorization: `WebPush ${token}`, 'crypto-key': `p256ecdsa=${vapidPublicKey}` }
}

const encodeJwtPart = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

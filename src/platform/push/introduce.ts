import type { Secrets } from '../secrets.ts'

/** How long a push service may take our word for who we are: a day is the most that RFC 8292 allows. */
const WORD_SECONDS = 12 * 3_600

/**
 * The headers that tell a push service who sends (VAPID): RFC 8292, or with `standard: false` its first draft, whose
 * `crypto-key` is joined to that of the encryption. `contact`: a `mailto:` or `https:` address of whoever runs the server.
 */
export function introduce(
  { vapidPublicKey, signVapid }: Pick<Secrets, 'vapidPublicKey' | 'signVapid'>,
  { endpoint, contact, now, standard }: { endpoint: string; contact: string; now: Date; standard: boolean },
): Record<string, string> {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1000) + WORD_SECONDS,
    sub: contact,
  }
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const token = `${signed}.${signVapid(signed).toString('base64url')}`
  if (standard) return { authorization: `vapid t=${token}, k=${vapidPublicKey}` }
  return { authorization: `WebPush ${token}`, 'crypto-key': `p256ecdsa=${vapidPublicKey}` }
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

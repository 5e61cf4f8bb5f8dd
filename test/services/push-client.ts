import assert from 'node:assert/strict'
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import ece from 'http_ece'
import { respondWith } from '../federation/peer/behaviour.ts'
import type { PeerRequest } from '../federation/peer/behaviour.ts'
import type { PeerHost } from '../federation/peer/host.ts'

/** The decrypted message of a push. */
interface PushMessage {
  access_token: string
  preferred_locale: string
  notification_id: number
  notification_type: string
  icon: string
  title: string
  body: string
}

/** A push client with an endpoint at a fake push service, which by default accepts every push. */
export interface PushClient {
  readonly path: string
  readonly endpoint: string
  readonly keys: { p256dh: string; auth: string }
  /** Returns a body for POST /api/v1/push/subscription. */
  subscription(more?: { standard?: boolean; data?: object }): object
  /** Returns all requests to the endpoint, including those that a behaviour rejected. */
  requests(): PeerRequest[]
  /** Returns the decrypted messages of all requests. */
  messages(): PushMessage[]
}

export function createPushClient(host: PeerHost): PushClient {
  const own = createECDH('prime256v1')
  const keys = { p256dh: own.generateKeys('base64url'), auth: randomBytes(16).toString('base64url') }
  const path = `/push/${randomBytes(6).toString('hex')}`
  host.behave(path, respondWith(201))
  const client: PushClient = {
    path,
    endpoint: host.origin + path,
    keys,
    subscription: ({ standard = true, data = {} } = {}) => ({
      subscription: { endpoint: client.endpoint, keys, standard },
      data,
    }),
    requests: () => host.requests.filter((request) => request.path === path),
    messages: () => client.requests().map((request) => JSON.parse(decrypt(request).toString('utf8')) as PushMessage),
  }
  return client

  function decrypt({ headers, body }: PeerRequest): Buffer {
    const version = headers['content-encoding']
    assert.ok(version === 'aes128gcm' || version === 'aesgcm', `${version}`)
    const encryptionParameters = {
      dh: parameterOf(headers['crypto-key'], 'dh'),
      salt: parameterOf(headers['encryption'], 'salt'),
    }
    return ece.decrypt(body, {
      version,
      privateKey: own,
      authSecret: keys.auth,
      ...(version === 'aesgcm' ? encryptionParameters : {}),
    })
  }
}

/** Verifies the VAPID headers of a push with the server's public key (RFC 8292), and returns their claims. */
export function readVapidHeaders(
  { headers }: PeerRequest,
  { publicKey }: { publicKey: string },
): { aud: string; exp: number; sub: string } {
  const authorization = headers.authorization ?? ''
  const isDraft = authorization.startsWith('WebPush ')
  const token = isDraft ? authorization.slice(8) : /^vapid t=([^,]+), k=/.exec(authorization)![1]!
  const tokenClaims = isDraft ? parameterOf(headers['crypto-key'], 'p256ecdsa') : authorization.replace(/^.*, k=/, '')
  assert.equal(tokenClaims, publicKey)
  const [head, claims, signature] = token.split('.') as [string, string, string]
  assert.deepEqual(parse(head), { typ: 'JWT', alg: 'ES256' })
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y! }, format: 'jwk' })
  const bytes = Buffer.from(signature, 'base64url')
  assert.ok(verify('sha256', Buffer.from(`${head}.${claims}`), { key, dsaEncoding: 'ieee-p1363' }, bytes))
  return parse(claims) as { aud: string; exp: number; sub: string }
}

const parse = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))

function parameterOf(header: string | string[] | undefined, name: string): string | undefined {
  const parts = String(header ?? '').split(/[;,]/)
  return parts
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}

import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** The keys of a push subscription, with which only the client can decrypt messages. */
export interface SubscriptionKeys {
  /** The client's public key: an uncompressed point of P-256, 65 bytes. */
  p256dh: Buffer
  /** The secret that the client shares with this server, 16 bytes. */
  auth: Buffer
}

/** The body of an encrypted message, and the headers that the client needs to decrypt it. */
export interface EncryptedPush {
  body: Buffer
  headers: Record<string, string>
}

/** Maximum length of a message. Push services accept 4096 bytes, which include the overhead of both encodings. */
export const MAX_PUSH_BYTES = 3_993

const SALT_BYTES = 16
const RECORD_BYTES = 4_096

/**
 * Encrypts a message of at most `MAX_PUSH_BYTES` for one subscription with a new key pair.
 * `standard`: RFC 8291. Otherwise its fourth draft, which older clients use.
 * @throws Error if the public key is not a point of the curve
 */
export function encryptPush(
  message: Buffer,
  { keys, standard }: { keys: SubscriptionKeys; standard: boolean },
): EncryptedPush {
  if (message.length > MAX_PUSH_BYTES) throw new Error(`${message.length} bytes are too many for a push`)
  const own = createECDH('prime256v1')
  const keyAgreement = {
    ...keys,
    serverPublicKey: own.generateKeys(),
    sharedSecret: own.computeSecret(keys.p256dh),
    salt: randomBytes(SALT_BYTES),
  }
  return standard ? encryptByStandard(message, keyAgreement) : encryptByDraft(message, keyAgreement)
}

/** Returns whether a public key is valid for the encryption. */
export function isSubscriptionPublicKey(p256dh: Buffer): boolean {
  if (p256dh.length !== 65 || p256dh[0] !== 4) return false
  const own = createECDH('prime256v1')
  own.generateKeys()
  try {
    own.computeSecret(p256dh)
    return true
  } catch {
    return false
  }
}

interface KeyAgreement extends SubscriptionKeys {
  /** The public key of this server for this message. */
  serverPublicKey: Buffer
  sharedSecret: Buffer
  salt: Buffer
}

/** RFC 8291: the body is one record of RFC 8188, whose header contains the salt and the key. */
function encryptByStandard(
  message: Buffer,
  { p256dh, auth, serverPublicKey, sharedSecret, salt }: KeyAgreement,
): EncryptedPush {
  const secret = derive(sharedSecret, {
    salt: auth,
    info: [asciiBytes('WebPush: info\0'), p256dh, serverPublicKey],
    bytes: 32,
  })
  const key = derive(secret, { salt, info: [asciiBytes('Content-Encoding: aes128gcm\0')], bytes: 16 })
  const nonce = derive(secret, { salt, info: [asciiBytes('Content-Encoding: nonce\0')], bytes: 12 })
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_BYTES)
  // The delimiter 2 after the message marks the last record.
  const record = encryptRecord(Buffer.concat([message, Buffer.of(2)]), { key, nonce })
  return {
    body: Buffer.concat([salt, size, Buffer.of(serverPublicKey.length), serverPublicKey, record]),
    headers: { 'content-encoding': 'aes128gcm' },
  }
}

/** draft-ietf-webpush-encryption-04: salt and key are in headers. */
function encryptByDraft(
  message: Buffer,
  { p256dh, auth, serverPublicKey, sharedSecret, salt }: KeyAgreement,
): EncryptedPush {
  const secret = derive(sharedSecret, { salt: auth, info: [asciiBytes('Content-Encoding: auth\0')], bytes: 32 })
  const context = [
    asciiBytes('P-256\0'),
    Buffer.of(0, p256dh.length),
    p256dh,
    Buffer.of(0, serverPublicKey.length),
    serverPublicKey,
  ]
  const key = derive(secret, { salt, info: [asciiBytes('Content-Encoding: aesgcm\0'), ...context], bytes: 16 })
  const nonce = derive(secret, { salt, info: [asciiBytes('Content-Encoding: nonce\0'), ...context], bytes: 12 })
  return {
    // Two bytes before the message have the length of the padding.
    body: encryptRecord(Buffer.concat([Buffer.of(0, 0), message]), { key, nonce }),
    headers: {
      'content-encoding': 'aesgcm',
      encryption: `salt=${salt.toString('base64url')}`,
      'crypto-key': `dh=${serverPublicKey.toString('base64url')}`,
    },
  }
}

function derive(secret: Buffer, { salt, info, bytes }: { salt: Buffer; info: Buffer[]; bytes: number }): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, Buffer.concat(info), bytes))
}

function encryptRecord(record: Buffer, { key, nonce }: { key: Buffer; nonce: Buffer }): Buffer {
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  return Buffer.concat([cipher.update(record), cipher.final(), cipher.getAuthTag()])
}

const asciiBytes = (ascii: string): Buffer => Buffer.from(ascii, 'ascii')

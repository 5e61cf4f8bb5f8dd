import { createCipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** What a program gave so that only it reads what is pushed to it. */
export interface PushKeys {
  /** Its public key: an uncompressed point of P-256, 65 bytes. */
  p256dh: Buffer
  /** The secret that it shares with us, 16 bytes. */
  auth: Buffer
}

/** A message as it is sent: its body, and the headers by which it is read. */
export interface EncryptedPush {
  body: Buffer
  headers: Record<string, string>
}

/** Push services take 4096 bytes of body; this is what both ways of encrypting leave of it. */
export const MAX_PUSH_BYTES = 3_993

const SALT_BYTES = 16
const RECORD_BYTES = 4_096

/**
 * Encrypts a message of at most `MAX_PUSH_BYTES` for one program, with a key that is used for nothing else.
 * `standard`: as RFC 8291 says, otherwise as the fourth draft of it did, which older programs know.
 * @throws Error when the public key is no point of the curve
 */
export function encryptPush(message: Buffer, { keys, standard }: { keys: PushKeys; standard: boolean }): EncryptedPush {
  if (message.length > MAX_PUSH_BYTES) throw new Error(`${message.length} bytes are too many for a push`)
  const own = createECDH('prime256v1')
  const about = {
    ...keys,
    own: own.generateKeys(),
    shared: own.computeSecret(keys.p256dh),
    salt: randomBytes(SALT_BYTES),
  }
  return standard ? encryptByStandard(message, about) : encryptByDraft(message, about)
}

/** Whether somebody could be sent something encrypted with this public key. */
export function isPushKey(p256dh: Buffer): boolean {
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

interface Agreement extends PushKeys {
  /** Our public key. */
  own: Buffer
  shared: Buffer
  salt: Buffer
}

/** RFC 8291, in the one record of RFC 8188 that tells salt and key itself. */
function encryptByStandard(message: Buffer, { p256dh, auth, own, shared, salt }: Agreement): EncryptedPush {
  const secret = derive(shared, { salt: auth, info: [text('WebPush: info\0'), p256dh, own], bytes: 32 })
  const key = derive(secret, { salt, info: [text('Content-Encoding: aes128gcm\0')], bytes: 16 })
  const nonce = derive(secret, { salt, info: [text('Content-Encoding: nonce\0')], bytes: 12 })
  const size = Buffer.alloc(4)
  size.writeUInt32BE(RECORD_BYTES)
  // Behind the message, 2 says that no other record follows.
  const record = seal(Buffer.concat([message, Buffer.of(2)]), { key, nonce })
  return {
    body: Buffer.concat([salt, size, Buffer.of(own.length), own, record]),
    headers: { 'content-encoding': 'aes128gcm' },
  }
}

/** draft-ietf-webpush-encryption-04: salt and key are told in headers. */
function encryptByDraft(message: Buffer, { p256dh, auth, own, shared, salt }: Agreement): EncryptedPush {
  const secret = derive(shared, { salt: auth, info: [text('Content-Encoding: auth\0')], bytes: 32 })
  const context = [text('P-256\0'), Buffer.of(0, p256dh.length), p256dh, Buffer.of(0, own.length), own]
  const key = derive(secret, { salt, info: [text('Content-Encoding: aesgcm\0'), ...context], bytes: 16 })
  const nonce = derive(secret, { salt, info: [text('Content-Encoding: nonce\0'), ...context], bytes: 12 })
  return {
    // In front of the message stands the length of the padding.
    body: seal(Buffer.concat([Buffer.of(0, 0), message]), { key, nonce }),
    headers: {
      'content-encoding': 'aesgcm',
      encryption: `salt=${salt.toString('base64url')}`,
      'crypto-key': `dh=${own.toString('base64url')}`,
    },
  }
}

function derive(secret: Buffer, { salt, info, bytes }: { salt: Buffer; info: Buffer[]; bytes: number }): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, Buffer.concat(info), bytes))
}

function seal(record: Buffer, { key, nonce }: { key: Buffer; nonce: Buffer }): Buffer {
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  return Buffer.concat([cipher.update(record), cipher.final(), cipher.getAuthTag()])
}

const text = (ascii: string): Buffer => Buffer.from(ascii, 'ascii')

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  createPrivateKey,
  generateKeyPair,
  generateKeyPairSync,
  hkdfSync,
  randomBytes,
  sign,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { chmod, lchown, link, open, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isSameSecret } from '../lib/secrets.ts'
import { createOwnedFolder, findFileOwner } from './data-folder/owned-files.ts'

interface SecretsFile {
  /** 256 bits, base64url. All other keys are derived from it. */
  base: string
  /** Former bases, with which older data can still be decrypted. */
  retired?: string[]
  /** The VAPID key pair of web push (P-256, raw, base64url). */
  vapid: { publicKey: string; privateKey: string }
}

/** Thrown if the file of the secrets cannot be read. The message is one line, without the secrets. */
export class SecretsFileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SecretsFileError'
  }
}

export interface Secrets {
  readonly vapidPublicKey: string
  /** Signs with the VAPID key: ES256, 64 bytes. */
  signVapid(text: string): Buffer
  /** Returns an HMAC that only this server can create, for links in mails and for forms. */
  sign(purpose: string, text: string): string
  verify(purpose: string, text: string, tag: string): boolean
  /**
   * Encrypts for storage (AES-256-GCM). The result includes the id of the key. Data of one purpose cannot be decrypted
   * for another, so a purpose that contains the id of a row prevents that values of two rows are exchanged.
   */
  encrypt(purpose: string, plain: Buffer): Buffer
  /** @throws Error if the data was not encrypted by this server for this purpose, or was changed */
  decrypt(purpose: string, sealed: Buffer): Buffer
  /** Whether the key of encrypted data is known. Its first five bytes are enough. */
  canDecrypt(sealed: Buffer): boolean
  /** Generates an RSA key pair of 2048 bits. */
  readonly generateRsaKeyPair: GenerateRsaKeyPair
}

export type GenerateRsaKeyPair = () => Promise<{ publicKey: KeyObject; privateKey: KeyObject }>

const generateInThreadPool = promisify(generateKeyPair)

/** Takes a tenth of a second, but not of the main thread. */
const generateRsaKeyPairInThreadPool: GenerateRsaKeyPair = () => generateInThreadPool('rsa', { modulusLength: 2048 })

// version (1) · id of the base (4) · nonce (12) · tag (16) · ciphertext
const VERSION = 1
const NONCE_AT = 5
const TAG_AT = 17
const TEXT_AT = 33

function generateSecrets(): SecretsFile {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')])
  return {
    base: randomBytes(32).toString('base64url'),
    vapid: { publicKey: point.toString('base64url'), privateKey: privateKey.export({ format: 'jwk' }).d! },
  }
}

/**
 * Reads the secrets of a data folder and creates them at the first start. The file has mode 0600 and is created
 * atomically: if two processes start at the same time, both use the file of the first one.
 * @throws SecretsFileError if the file exists but cannot be read or is damaged
 */
export async function openSecrets(
  dataDir: string,
  { generateRsaKeyPair = generateRsaKeyPairInThreadPool }: { generateRsaKeyPair?: GenerateRsaKeyPair | undefined } = {},
): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  const stored = await readStoredSecrets(path)
  const file = stored === null ? await storeSecrets(path, generateSecrets()) : parseSecrets(path, stored)
  return createSecrets(file, generateRsaKeyPair)
}

/** Returns null only if the file does not exist: an unreadable one must not be treated as missing. */
async function readStoredSecrets(path: string): Promise<string | null> {
  return readFile(path, 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return null
    throw new SecretsFileError(`${path} can't be read: ${err.message}`, { cause: err })
  })
}

function parseSecrets(path: string, text: string): SecretsFile {
  try {
    const file = JSON.parse(text) as SecretsFile
    const { publicKey, privateKey } = file.vapid
    const lengths = [file.base, publicKey, privateKey].map((key) => Buffer.from(key, 'base64url').length)
    if (lengths[0]! >= 32 && lengths[1] === 65 && lengths[2] === 32) return file
  } catch {
    // Reported below, without the message of the parser, which would quote the file.
  }
  throw new SecretsFileError(`${path} is damaged: restore it from a backup`)
}

async function storeSecrets(path: string, secrets: SecretsFile): Promise<SecretsFile> {
  const owner = await findFileOwner(join(path, '..'))
  await createOwnedFolder(join(path, '..'), owner)
  const temporaryPath = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(temporaryPath, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
    await chmod(temporaryPath, 0o600)
    if (owner) await lchown(temporaryPath, owner.uid, owner.gid)
    // Unlike a rename, a hard link does not replace an existing file.
    await link(temporaryPath, path)
    // A power failure must not remove the file when the database already contains what it has encrypted.
    const folder = await open(join(path, '..'))
    await folder.sync()
    await folder.close()
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err
  } finally {
    await rm(temporaryPath, { force: true })
  }
  return JSON.parse(await readFile(path, 'utf8')) as SecretsFile
}

function createSecrets(file: SecretsFile, generateRsaKeyPair: GenerateRsaKeyPair): Secrets {
  const bases = new Map([file.base, ...(file.retired ?? [])].map((base) => [keyIdOf(base), base]))
  const current = keyIdOf(file.base)
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string, id = current) => {
    const cached = keys.get(`${id} ${purpose}`)
    if (cached) return cached
    const base = bases.get(id)
    if (base === undefined) throw new Error(`Encrypted with a key that secrets.json does not have: ${id}`)
    const key = Buffer.from(hkdfSync('sha256', Buffer.from(base, 'base64url'), '', purpose, 32))
    keys.set(`${id} ${purpose}`, key)
    return key
  }
  let signingKey: KeyObject | undefined
  const vapidKey = () => (signingKey ??= readVapidKey(file.vapid))
  const createTag = (purpose: string, text: string) =>
    createHmac('sha256', keyFor(purpose)).update(text).digest('base64url')
  return {
    generateRsaKeyPair,
    vapidPublicKey: file.vapid.publicKey,
    signVapid: (text) => sign('sha256', Buffer.from(text), { key: vapidKey(), dsaEncoding: 'ieee-p1363' }),
    sign: createTag,
    verify: (purpose, text, tag) => isSameSecret(createTag(purpose, text), tag),
    encrypt(purpose, plain) {
      const head = Buffer.concat([Buffer.of(VERSION), Buffer.from(current, 'hex')])
      const nonce = randomBytes(TAG_AT - NONCE_AT)
      const cipher = createCipheriv('aes-256-gcm', keyFor(ENCRYPTION), nonce).setAAD(associatedData(head, purpose))
      const text = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([head, nonce, cipher.getAuthTag(), text])
    },
    canDecrypt: (sealed) => sealed[0] === VERSION && bases.has(sealed.subarray(1, NONCE_AT).toString('hex')),
    decrypt(purpose, sealed) {
      if (sealed.length < TEXT_AT || sealed[0] !== VERSION) throw new Error('Not encrypted by this program')
      const head = sealed.subarray(0, NONCE_AT)
      const key = keyFor(ENCRYPTION, head.subarray(1).toString('hex'))
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(NONCE_AT, TAG_AT), { authTagLength: 16 })
      decipher.setAAD(associatedData(head, purpose)).setAuthTag(sealed.subarray(TAG_AT, TEXT_AT))
      return Buffer.concat([decipher.update(sealed.subarray(TEXT_AT)), decipher.final()])
    },
  }
}

function readVapidKey({ publicKey, privateKey }: SecretsFile['vapid']): KeyObject {
  const point = Buffer.from(publicKey, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x: x!, y: y!, d: privateKey }, format: 'jwk' })
}

/** All encryption uses one key, because there are as many purposes as rows. */
const ENCRYPTION = 'encryption at rest'

const associatedData = (head: Buffer, purpose: string): Buffer => Buffer.concat([head, Buffer.from(purpose, 'utf8')])

/** Returns the id of a base, which does not reveal it. */
function keyIdOf(base: string): string {
  return createHash('sha256').update(`id of ${base}`).digest('hex').slice(0, 8)
}

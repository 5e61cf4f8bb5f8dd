import { createHmac, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto'
import { chmod, link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sameSecret } from '../lib/secrets.ts'

interface SecretsFile {
  /** 256 bits, base64url: every other key is derived from it. */
  base: string
  /** The key pair that web push services know us by (P-256, raw, base64url). */
  vapid: { publicKey: string; privateKey: string }
}

export interface Secrets {
  readonly vapidPublicKey: string
  /** A tag that only this server can make: for links in mails and for forms. */
  seal(purpose: string, text: string): string
  isSealed(purpose: string, text: string, tag: string): boolean
}

function makeSecrets(): SecretsFile {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x, y } = publicKey.export({ format: 'jwk' })
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')])
  return {
    base: randomBytes(32).toString('base64url'),
    vapid: { publicKey: point.toString('base64url'), privateKey: privateKey.export({ format: 'jwk' }).d! },
  }
}

/**
 * Reads the secrets of a data folder, making them at the first start. The file is mode 0600 and appears whole or not
 * at all, also when two processes start at once: the slower one takes what the faster one made.
 */
export async function openSecrets(dataDir: string): Promise<Secrets> {
  const path = join(dataDir, 'secrets.json')
  const stored = await readFile(path, 'utf8').catch(() => null)
  const file = stored === null ? await storeSecrets(path, makeSecrets()) : (JSON.parse(stored) as SecretsFile)
  if (Buffer.from(file.base ?? '', 'base64url').length < 32)
    throw new Error(`${path} is damaged: restore it from a backup`)
  return createSecrets(file)
}

async function storeSecrets(path: string, secrets: SecretsFile): Promise<SecretsFile> {
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flush: true })
  await chmod(draft, 0o600)
  try {
    // A hard link refuses to replace an existing file, where a rename would.
    await link(draft, path)
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code !== 'EEXIST') throw err
  } finally {
    await unlink(draft)
  }
  return JSON.parse(await readFile(path, 'utf8')) as SecretsFile
}

function createSecrets(file: SecretsFile): Secrets {
  const keys = new Map<string, Buffer>()
  const keyFor = (purpose: string) => {
    let key = keys.get(purpose)
    if (!key) {
      key = Buffer.from(hkdfSync('sha256', Buffer.from(file.base, 'base64url'), '', purpose, 32))
      keys.set(purpose, key)
    }
    return key
  }
  const seal = (purpose: string, text: string) => createHmac('sha256', keyFor(purpose)).update(text).digest('base64url')
  return {
    vapidPublicKey: file.vapid.publicKey,
    seal,
    isSealed: (purpose, text, tag) => sameSecret(seal(purpose, text), tag),
  }
}

import { deleteValue, listValues, readValue, writeValue } from '../database.ts'

/** An account that the user can use in this browser. */
export interface Session {
  accountId: string
  token: string
}

/**
 * A session as it is stored: the token is encrypted with a key that scripts cannot export, so that a copy of the
 * browser's profile does not contain it in plain text.
 */
interface StoredSession {
  accountId: string
  iv: Uint8Array<ArrayBuffer>
  encryptedToken: ArrayBuffer
}

const KEY_NAME = 'key'
const ALGORITHM = 'AES-GCM'

/** Returns the stored session of an account, or null. A session that cannot be read or decrypted counts as missing. */
export async function findSession(accountId: string): Promise<Session | null> {
  try {
    const [stored, key] = await Promise.all([
      readValue<StoredSession>('sessions', sessionKey(accountId)),
      readValue<CryptoKey>('sessions', KEY_NAME),
    ])
    if (!stored || !key) return null
    const token = await crypto.subtle.decrypt({ name: ALGORITHM, iv: stored.iv }, key, stored.encryptedToken)
    return { accountId, token: new TextDecoder().decode(token) }
  } catch {
    return null
  }
}

/** Returns the ids of the accounts that have a session. */
export async function listSessionAccounts(): Promise<string[]> {
  const values = await listValues('sessions')
  return values.filter(({ key }) => key !== KEY_NAME).map(({ value }) => (value as StoredSession).accountId)
}

export async function saveSession({ accountId, token }: Session): Promise<void> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const encryptedToken = await crypto.subtle.encrypt(
    { name: ALGORITHM, iv },
    await findOrCreateKey(),
    new TextEncoder().encode(token),
  )
  await writeValue('sessions', sessionKey(accountId), { accountId, iv, encryptedToken } satisfies StoredSession)
}

/** Deletes the stored session of an account, unless the browser stores nothing. */
export async function deleteSession(accountId: string): Promise<void> {
  await deleteValue('sessions', sessionKey(accountId)).catch(() => undefined)
}

function sessionKey(accountId: string): string {
  return `account-${accountId}`
}

async function findOrCreateKey(): Promise<CryptoKey> {
  const existing = await readValue<CryptoKey>('sessions', KEY_NAME)
  if (existing) return existing
  const key = await crypto.subtle.generateKey({ name: ALGORITHM, length: 256 }, false, ['encrypt', 'decrypt'])
  await writeValue('sessions', KEY_NAME, key)
  return key
}

import { openSession } from '../../src/domain/auth/sessions.ts'
import { hashSecret, generateSecret } from '../../src/lib/secrets.ts'
import type { BuilderCtx } from '../query-builder.ts'

interface ClientOptions {
  userId: string
  count: number
}

/** Creates tokens of one user, and returns them. */
export async function createTokens({ db }: BuilderCtx, { userId, count }: ClientOptions): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => generateSecret())
  await db
    .insertInto('access_tokens')
    .values(tokens.map((token) => ({ token_hash: hashSecret(token), user_id: userId, scopes: ['read', 'write'] })))
    .execute()
  return tokens
}

/** Creates browser sessions of one user, and returns their ids. */
export async function createSessions(ctx: BuilderCtx, { userId, count }: ClientOptions): Promise<string[]> {
  const open = async () => ctx.write((tx) => openSession(tx, { userId, browser: { ip: null, userAgent: '' } }))
  return Promise.all(Array.from({ length: count }, open))
}

let addresses = 0
/** Returns a unique client address. */
export function uniqueAddress(): string {
  addresses += 1
  return `203.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
}

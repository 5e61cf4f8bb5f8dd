import { openSession } from '../src/domain/auth/sessions.ts'
import { hashSecret, makeSecret } from '../src/lib/secrets.ts'
import type { BuilderCtx } from './query-builder.ts'

interface Wanted {
  userId: string
  count: number
}

/** More tokens of one person. */
export async function makeTokens({ db }: BuilderCtx, { userId, count }: Wanted): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => makeSecret())
  await db
    .insertInto('access_tokens')
    .values(tokens.map((token) => ({ token_hash: hashSecret(token), user_id: userId, scopes: ['read', 'write'] })))
    .execute()
  return tokens
}

/** More browsers in which one person is logged in: the ids of the sessions. */
export async function makeSessions(ctx: BuilderCtx, { userId, count }: Wanted): Promise<string[]> {
  const open = async () => ctx.write((tx) => openSession(tx, { userId, browser: { ip: null, userAgent: '' } }))
  return Promise.all(Array.from({ length: count }, open))
}

let addresses = 0
/** An address that nobody else has. */
export function someAddress(): string {
  addresses += 1
  return `203.${addresses >> 16}.${(addresses >> 8) & 255}.${addresses & 255}`
}

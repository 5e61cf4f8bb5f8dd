import { insertPerson, ROLE_IDS } from '../src/domain/accounts/insert-person.ts'
import { parseScopes } from '../src/lib/scopes.ts'
import { hashSecret, makeSecret } from '../src/lib/secrets.ts'
import type { BuilderCtx } from './query-builder.ts'

export interface PersonTraits {
  username?: string
  displayName?: string
  role?: keyof typeof ROLE_IDS
  locked?: boolean
  confirmed?: boolean
  approved?: boolean
  /** Of the token. */
  scopes?: string
  /** null, unless said: nobody logs in by password, as hashing one costs more than the rest of a test. */
  passwordHash?: string | null
}

export interface CreatedPerson {
  accountId: string
  userId: string
  username: string
  email: string
  token: string
}

/** Makes a person who holds a token already. */
export async function createPerson(
  ctx: BuilderCtx,
  {
    username,
    displayName = '',
    role = 'user',
    locked = false,
    confirmed = true,
    approved = true,
    scopes = 'read write follow push',
    passwordHash = null,
  }: PersonTraits & { username: string },
): Promise<CreatedPerson> {
  const email = `${username.toLowerCase()}@mail.test`
  const token = makeSecret()
  return ctx.write(async (tx) => {
    const { accountId, userId } = await insertPerson(tx, {
      username,
      email,
      passwordHash,
      roleId: ROLE_IDS[role],
      confirmed,
      approved,
    })
    await tx.db.updateTable('accounts').set({ display_name: displayName, locked }).where('id', '=', accountId).execute()
    await tx.db
      .insertInto('access_tokens')
      .values({ token_hash: hashSecret(token), user_id: userId, scopes: parseScopes(scopes) })
      .execute()
    return { accountId, userId, username, email, token }
  })
}

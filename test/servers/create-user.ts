import { insertLocalAccount, ROLE_IDS } from '../../src/domain/accounts/registration/insert-local-account.ts'
import { parseScopes } from '../../src/lib/http/scopes.ts'
import { hashSecret, generateSecret } from '../../src/lib/secrets.ts'
import type { BuilderCtx } from '../query-builder.ts'

export interface UserOptions {
  username?: string
  displayName?: string
  role?: keyof typeof ROLE_IDS
  locked?: boolean
  confirmed?: boolean
  approved?: boolean
  /** The scopes of the token. */
  scopes?: string
  /**
   * Default: null, which disables log-in by password, because hashing a password takes longer than the rest of a test.
   */
  passwordHash?: string | null
}

export interface CreatedUser {
  accountId: string
  userId: string
  username: string
  email: string
  token: string
}

/** Creates a user with an access token. */
export async function createUser(
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
  }: UserOptions & { username: string },
): Promise<CreatedUser> {
  const email = `${username.toLowerCase()}@mail.test`
  const token = generateSecret()
  return ctx.write(async (tx) => {
    const { accountId, userId } = await insertLocalAccount(tx, {
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

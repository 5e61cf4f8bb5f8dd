import { insertLocalAccount, ROLE_IDS } from '../../src/domain/accounts/registration/insert-local-account.ts'
import type { Ctx } from '../../src/domain/context.ts'
import { hashPassword } from '../../src/domain/auth/passwords.ts'

export const PASSWORD = 'correct horse battery'

/** The hash of `PASSWORD`. Computing it takes longer than the rest of creating a user, so all users share it. */
let passwordHash: string | undefined

/** Creates an approved user with `PASSWORD` and the address `USERNAME@mail.test`, by default confirmed. */
export async function createUserWithPassword(
  ctx: Pick<Ctx, 'write'>,
  username: string,
  { role = 'user', confirmed = true }: { role?: keyof typeof ROLE_IDS; confirmed?: boolean } = {},
): Promise<{ accountId: string; userId: string; email: string }> {
  const email = `${username.toLowerCase()}@mail.test`
  passwordHash ??= await hashPassword(PASSWORD)
  const account = { username, email, passwordHash, roleId: ROLE_IDS[role], confirmed, approved: true }
  return { email, ...(await ctx.write((tx) => insertLocalAccount(tx, account))) }
}

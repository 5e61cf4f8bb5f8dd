import { createAccount } from '../../src/domain/accounts/registration/create-account.ts'
import type { ROLE_IDS } from '../../src/domain/accounts/registration/insert-local-account.ts'
import type { Ctx } from '../../src/domain/context.ts'

export const PASSWORD = 'correct horse battery'

/** Creates a user with `PASSWORD` and the address `USERNAME@mail.test`, by default confirmed and approved. */
export async function createUserWithPassword(
  ctx: Ctx,
  username: string,
  options: { role?: keyof typeof ROLE_IDS; confirmed?: boolean; approved?: boolean } = {},
): Promise<{ accountId: string; userId: string; email: string }> {
  const email = `${username.toLowerCase()}@mail.test`
  const all = { role: 'user' as const, confirmed: true, approved: true, ...options }
  return { email, ...(await createAccount(ctx, { username, email, password: PASSWORD, ...all })) }
}

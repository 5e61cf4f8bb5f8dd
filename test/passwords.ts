import { createAccount } from '../src/domain/accounts/create-account.ts'
import type { ROLE_IDS } from '../src/domain/accounts/insert-person.ts'
import type { Ctx } from '../src/domain/context.ts'

export const PASSWORD = 'correct horse battery'

/** A person who logs in by `PASSWORD`: at `USERNAME@mail.test`, confirmed and approved unless said otherwise. */
export async function createAccountWithPassword(
  ctx: Ctx,
  username: string,
  traits: { role?: keyof typeof ROLE_IDS; confirmed?: boolean; approved?: boolean } = {},
): Promise<{ accountId: string; userId: string; email: string }> {
  const email = `${username.toLowerCase()}@mail.test`
  const all = { role: 'user' as const, confirmed: true, approved: true, ...traits }
  return { email, ...(await createAccount(ctx, { username, email, password: PASSWORD, ...all })) }
}

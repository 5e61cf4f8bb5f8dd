import { ValidationFailed } from '../../lib/errors.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { Ctx } from '../context.ts'
import { listCredentialProblems } from './check-person.ts'
import { insertPerson, ROLE_IDS } from './insert-person.ts'
import { readRegistrationsMode } from './registrations.ts'

/**
 * Makes an account for somebody, also while nobody may sign up, and with a name that is kept for the staff.
 * Unless `confirmed`, the address gets a letter to confirm it. Unless `approved`, it waits for approval where
 * registrations are not open.
 * @throws ValidationFailed
 */
export async function createAccount(
  ctx: Ctx,
  input: {
    username: string
    email: string
    password: string
    role: keyof typeof ROLE_IDS
    confirmed: boolean
    approved: boolean
  },
): Promise<{ accountId: string; userId: string }> {
  const problems = await listCredentialProblems(ctx, { ...input, reservedAllowed: true })
  if (problems.length > 0) throw new ValidationFailed(problems, { details: true })
  const passwordHash = await hashPassword(input.password)
  const approved = input.approved || (await readRegistrationsMode(ctx)) === 'open'
  return ctx.write((tx) =>
    insertPerson(tx, {
      username: input.username,
      email: input.email,
      passwordHash,
      roleId: ROLE_IDS[input.role],
      confirmed: input.confirmed,
      approved,
    }),
  )
}

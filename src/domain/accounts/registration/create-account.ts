import { ValidationError } from '../../../lib/errors.ts'
import { hashPassword } from '../../auth/passwords.ts'
import type { Ctx } from '../../context.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import { listCredentialProblems } from './check-credentials.ts'
import { insertLocalAccount } from './insert-local-account.ts'
import { readRegistrationsMode } from './read-registrations-mode.ts'

/**
 * Creates a local account for an administrator on the command line, also while registrations are closed, and also with a
 * reserved username. Unless `confirmed`, the address gets a confirmation mail. Unless `approved`, the account awaits
 * approval if registrations are not open.
 * @throws ValidationError with `details`; TooManyRequestsError
 */
export async function createAccount(
  ctx: Ctx,
  input: {
    username: string
    email: string
    password: string
    role: { readonly id: string; readonly name: string }
    confirmed: boolean
    approved: boolean
  },
): Promise<{ accountId: string; userId: string }> {
  const problems = await listCredentialProblems(ctx, { ...input, reservedAllowed: true })
  if (problems.length > 0) throw new ValidationError(problems, { details: true })
  const passwordHash = await hashPassword(input.password)
  const approved = input.approved || (await readRegistrationsMode(ctx)) === 'open'
  const { username, email, role, confirmed } = input
  const roleId = role.id
  return ctx.write(async (tx) => {
    const created = await insertLocalAccount(tx, { username, email, passwordHash, roleId, confirmed, approved })
    await recordAuditEntry(tx, {
      by: null,
      action: 'create',
      targetType: 'account',
      targetId: created.accountId,
      label: username,
      details: { roleId, role: role.name },
    })
    return created
  })
}

import { NotFoundError, ValidationError } from '../../../lib/errors.ts'
import { generateSecret } from '../../../lib/secrets.ts'
import { statement } from '../../../platform/db/statement.ts'
import { hashPassword } from '../../auth/passwords.ts'
import type { Ctx, Read } from '../../context.ts'
import { readSetting } from '../../core/settings-store.ts'
import { listCredentialProblems } from './check-credentials.ts'
import type { Credentials } from './check-credentials.ts'
import { insertLocalAccount, ROLE_IDS } from './insert-local-account.ts'

const OWNER_SETUP_SETTING = 'owner_setup'
const PURPOSE = 'create the owner'

const insertNonce = statement<{ params: { name: string; value: string; now: Date } }>(
  `insert into settings (name, value, updated_at) values ($name, $value, $now) on conflict (name) do nothing`,
)
const removeNonce = statement<{ params: { name: string; value: string }; row: { name: string } }>(
  `delete from settings where name = $name and value = $value returning name`,
)
const findOwner = statement<{ params: { roleId: string }; row: { id: string } }>(
  `select id from users where role_id = $roleId limit 1`,
)

/**
 * Returns the token of the one-time link that creates the owner's account, the same one until it is used; null once
 * there is an owner. It is a signature of a stored nonce, so that it cannot be computed from the database or the
 * secrets alone.
 */
export async function ownerSetupToken(ctx: Ctx): Promise<string | null> {
  if (await hasOwner(ctx)) return null
  await ctx.write(({ db, now }) =>
    insertNonce(db, { name: OWNER_SETUP_SETTING, value: JSON.stringify(generateSecret()), now }),
  )
  return ctx.secrets.sign(PURPOSE, (await readSetting<string>(ctx, { name: OWNER_SETUP_SETTING }))!)
}

/** 404: the owner has an account already, so the one-time link has no use any more. */
export class OwnerExistsError extends NotFoundError {}

/** Checks the token of the one-time link. @throws OwnerExistsError; NotFoundError if it is wrong or used */
export async function verifyOwnerSetupToken(ctx: Ctx, { token }: { token: string }): Promise<{ nonce: string }> {
  const nonce = await readSetting<string>(ctx, { name: OWNER_SETUP_SETTING })
  if (await hasOwner(ctx)) throw new OwnerExistsError()
  if (nonce === null || !ctx.secrets.verify(PURPOSE, nonce, token)) throw new NotFoundError()
  return { nonce }
}

/**
 * Creates the owner's account, confirmed and approved, and invalidates the link.
 * @throws OwnerExistsError, NotFoundError as `verifyOwnerSetupToken`; ValidationError with `details`
 */
export async function createOwner(
  ctx: Ctx,
  { token, locale, ...credentials }: Credentials & { token: string; locale: string },
): Promise<{ accountId: string; userId: string }> {
  const { nonce } = await verifyOwnerSetupToken(ctx, { token })
  const problems = await listCredentialProblems(ctx, { ...credentials, reservedAllowed: true })
  if (problems.length > 0) throw new ValidationError(problems, { details: true })
  const passwordHash = await hashPassword(credentials.password)
  return ctx.write(async (tx) => {
    // Of two concurrent requests, only one deletes the nonce.
    const [used] = await removeNonce(tx.db, { name: OWNER_SETUP_SETTING, value: JSON.stringify(nonce) })
    if (await hasOwner(tx)) throw new OwnerExistsError()
    if (!used) throw new NotFoundError()
    return insertLocalAccount(tx, {
      username: credentials.username,
      email: credentials.email,
      passwordHash,
      locale,
      roleId: ROLE_IDS.owner,
      confirmed: true,
      approved: true,
    })
  })
}

async function hasOwner(read: Read): Promise<boolean> {
  return (await findOwner(read.db, { roleId: ROLE_IDS.owner })).length > 0
}

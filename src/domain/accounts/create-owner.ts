import { NotFound, ValidationFailed } from '../../lib/errors.ts'
import { makeSecret } from '../../lib/secrets.ts'
import { statement } from '../../platform/db/statement.ts'
import { hashPassword } from '../auth/passwords.ts'
import type { Ctx, Read } from '../context.ts'
import { readSetting } from '../settings.ts'
import { listCredentialProblems } from './check-person.ts'
import type { Credentials } from './check-person.ts'
import { insertPerson, ROLE_IDS } from './insert-person.ts'

const SETTING = 'owner_setup'
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
 * The token of the one-time link that makes the owner, the same one until it is used. null once there is an owner.
 * It is sealed from a stored random text, so neither the database alone nor the secrets alone give it away.
 */
export async function ownerSetupToken(ctx: Ctx): Promise<string | null> {
  if (await hasOwner(ctx)) return null
  await ctx.write(({ db, now }) => insertNonce(db, { name: SETTING, value: JSON.stringify(makeSecret()), now }))
  return ctx.secrets.seal(PURPOSE, (await readSetting<string>(ctx, { name: SETTING }))!)
}

/** @throws NotFound when the link is wrong or used, or there is an owner already */
export async function checkOwnerSetup(ctx: Ctx, { token }: { token: string }): Promise<{ nonce: string }> {
  const nonce = await readSetting<string>(ctx, { name: SETTING })
  if (nonce === null || !ctx.secrets.isSealed(PURPOSE, nonce, token) || (await hasOwner(ctx))) throw new NotFound()
  return { nonce }
}

/**
 * Makes the owner's account, confirmed and approved at once, and uses up the link.
 * @throws NotFound when the link does not count · ValidationFailed
 */
export async function createOwner(
  ctx: Ctx,
  { token, locale, ...credentials }: Credentials & { token: string; locale: string },
): Promise<{ accountId: string; userId: string }> {
  const { nonce } = await checkOwnerSetup(ctx, { token })
  const problems = await listCredentialProblems(ctx, { ...credentials, reservedAllowed: true })
  if (problems.length > 0) throw new ValidationFailed(problems, { details: true })
  const passwordHash = await hashPassword(credentials.password)
  return ctx.write(async (tx) => {
    // Of two requests at once only one finds the link unused.
    const [used] = await removeNonce(tx.db, { name: SETTING, value: JSON.stringify(nonce) })
    if (!used || (await hasOwner(tx))) throw new NotFound()
    return insertPerson(tx, {
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

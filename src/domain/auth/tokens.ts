import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { ALL_SCOPES, areKnownScopes } from '../../lib/scopes.ts'
import { hashSecret, makeSecret } from '../../lib/secrets.ts'
import type { Tx } from '../context.ts'
import { removeSubscriptions } from '../push/subscriptions.ts'

/** A token as it is given away: its text is known only now. */
export interface IssuedToken {
  id: string
  token: string
  scopes: readonly string[]
  createdAt: Date
}

/**
 * Makes a token that never expires by itself. `userId: null` gives one that stands for the application alone;
 * `applicationId: null` one of no application.
 * @throws Unprocessable for an unknown scope
 */
export async function issueToken(
  tx: Tx,
  {
    applicationId,
    userId,
    scopes,
    codeHash = null,
  }: { applicationId: string | null; userId: string | null; scopes: readonly string[]; codeHash?: Buffer | null },
): Promise<IssuedToken> {
  if (!areKnownScopes(scopes)) throw new Unprocessable('One of the scopes is unknown')
  const token = makeSecret()
  const { id } = await tx.db
    .insertInto('access_tokens')
    .values({
      token_hash: hashSecret(token),
      application_id: applicationId,
      user_id: userId,
      scopes: [...scopes],
      code_hash: codeHash,
      created_at: tx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, token, scopes, createdAt: tx.now }
}

/** The application of tokens that are made on the command line. Nobody has its secret, and no redirect leads to it. */
const COMMAND_LINE = { clientId: 'command-line', name: 'Command line' } as const

/**
 * A token for a local person by name, made on the command line.
 * @throws NotFound when nobody here has that name
 */
export async function issuePersonalToken(
  tx: Tx,
  { username, scopes }: { username: string; scopes: readonly string[] },
): Promise<IssuedToken> {
  const user = await tx.db
    .selectFrom('users as u')
    .innerJoin('accounts as a', 'a.id', 'u.account_id')
    .select('u.id')
    .where((eb) => eb(eb.fn('lower', ['a.username']), '=', username.toLowerCase()))
    .where('a.domain', 'is', null)
    .executeTakeFirst()
  if (!user) throw new NotFound(`Nobody here is called ${username}`)
  return issueToken(tx, { applicationId: await commandLineApp(tx), userId: user.id, scopes })
}

/**
 * Revokes a token on behalf of the application that it was issued to. An unknown or revoked one changes nothing.
 * Returns `foreign`, and changes nothing, when it was issued to another application.
 */
export async function revokeToken(
  tx: Tx,
  { token, applicationId }: { token: string; applicationId: string },
): Promise<'done' | 'foreign'> {
  const known = await tx.db
    .selectFrom('access_tokens')
    .select(['id', 'application_id'])
    .where('token_hash', '=', hashSecret(token))
    .executeTakeFirst()
  if (!known) return 'done'
  if (known.application_id !== applicationId) return 'foreign'
  await revokeTokens(tx, { ids: [known.id] })
  return 'done'
}

/** Revokes tokens by their ids, and nothing more is pushed for them; those that are revoked already stay as they are. */
export async function revokeTokens(tx: Tx, { ids }: { ids: readonly string[] }): Promise<void> {
  const revoked = await tx.db
    .updateTable('access_tokens')
    .set({ revoked_at: tx.now })
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .where('revoked_at', 'is', null)
    .returning('id')
    .execute()
  if (revoked.length === 0) return
  const tokenIds = revoked.map(({ id }) => id)
  await removeSubscriptions(tx, { tokenIds })
  tx.emit('tokens.revoked', { tokenIds })
}

async function commandLineApp(tx: Tx): Promise<string> {
  const { id } = await tx.db
    .insertInto('applications')
    .values({
      name: COMMAND_LINE.name,
      redirect_uris: [],
      scopes: [...ALL_SCOPES],
      client_id: COMMAND_LINE.clientId,
      client_secret_hash: hashSecret(makeSecret()),
      created_at: tx.now,
    })
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet({ scopes: [...ALL_SCOPES] }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

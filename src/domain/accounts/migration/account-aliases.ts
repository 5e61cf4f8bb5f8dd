import { ValidationError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../../context.ts'
import { resolveAccount } from '../lookup/resolve-account.ts'
import { usableAccount } from '../../access/usable-account.ts'

/** More than any user needs. */
const MAX_ALIASES = 50

const findAliasUri = statement<{ params: { aliasId: string }; row: { uri: string } }>(
  `select a.uri from accounts a left join users u on u.account_id = a.id where a.id = $aliasId and ${usableAccount()}`,
)
const countAliases = statement<{ params: { accountId: string }; row: { count: number } }>(
  `select cardinality(also_known_as) as count from accounts where id = $accountId`,
)
const addAliasRow = statement<{ params: { accountId: string; aliasUri: string; now: Date }; row: { id: string } }>(
  `update accounts set also_known_as = also_known_as || $aliasUri::text, version = version + 1, updated_at = $now
   where id = $accountId and domain is null and $aliasUri <> all(also_known_as) returning id`,
)
const removeAliasRow = statement<{ params: { accountId: string; uri: string; now: Date }; row: { id: string } }>(
  `update accounts set also_known_as = array_remove(also_known_as, $uri), version = version + 1, updated_at = $now
   where id = $accountId and domain is null and $uri = any(also_known_as) returning id`,
)

/**
 * Adds an alias to a local account: another account of the user, by its handle or URL, which may then move here. Other
 * servers get an Update of the account (`alsoKnownAs`).
 * @throws ValidationError (of `acct`) if no account is found, for the account itself, and for more than fifty aliases
 */
export async function addAlias(ctx: Ctx, { accountId, name }: { accountId: string; name: string }): Promise<void> {
  const aliasId = await resolveAccount(ctx, { name, viewerId: accountId })
  const [alias] = aliasId === null ? [] : await findAliasUri(ctx.db, { aliasId })
  if (!alias) throw invalidAliasError('ERR_NOT_FOUND', 'could not be found')
  if (aliasId === accountId) throw invalidAliasError('ERR_SELF', 'is this very account')
  await ctx.write(async (tx) => {
    const [counted] = await countAliases(tx.db, { accountId })
    if (counted && counted.count >= MAX_ALIASES) throw invalidAliasError('ERR_TOO_MANY', 'are too many')
    const rows = await addAliasRow(tx.db, { accountId, aliasUri: alias.uri, now: tx.now })
    if (rows.length > 0) tx.emit('account.updated', { accountId, mediaKeys: [] })
  })
}

/** Removes an alias; an unknown one changes nothing. */
export async function removeAlias(tx: Tx, { accountId, uri }: { accountId: string; uri: string }): Promise<void> {
  const rows = await removeAliasRow(tx.db, { accountId, uri, now: tx.now })
  if (rows.length > 0) tx.emit('account.updated', { accountId, mediaKeys: [] })
}

const listAliasRows = statement<{ params: { accountId: string }; row: { uri: string; accountId: string | null } }>(
  `select alias.uri, other.id as "accountId"
   from accounts a, unnest(a.also_known_as) with ordinality alias (uri, position)
     left join accounts other on other.uri = alias.uri
   where a.id = $accountId order by alias.position`,
)

/**
 * Returns the URIs of an account's aliases, oldest first, each with the id of the account, or null if it is unknown.
 */
export async function listAliases(
  read: Read,
  { accountId }: { accountId: string },
): Promise<{ uri: string; accountId: string | null }[]> {
  return listAliasRows(read.db, { accountId })
}

/** Returns the error for a handle or URL of an account that a user entered. */
export function invalidAliasError(code: string, text: string): ValidationError {
  return new ValidationError([{ attribute: 'acct', code, text }])
}

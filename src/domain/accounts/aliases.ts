import { ValidationFailed } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Read, Tx } from '../context.ts'
import { resolveAddress } from './resolve-address.ts'
import { usableAccount } from './usable.ts'

/** More than anybody has. */
const MAX_ALIASES = 50

const findAlias = statement<{ params: { aliasId: string }; row: { uri: string } }>(
  `select a.uri from accounts a left join users u on u.account_id = a.id where a.id = $aliasId and ${usableAccount()}`,
)
const count = statement<{ params: { accountId: string }; row: { count: number } }>(
  `select cardinality(also_known_as) as count from accounts where id = $accountId`,
)
const add = statement<{ params: { accountId: string; aliaUri: string; now: Date }; row: { id: string } }>(
  `update accounts set also_known_as = also_known_as || $aliaUri::text, version = version + 1, updated_at = $now
   where id = $accountId and domain is null and $aliaUri <> all(also_known_as) returning id`,
)
const remove = statement<{ params: { accountId: string; uri: string; now: Date }; row: { id: string } }>(
  `update accounts set also_known_as = array_remove(also_known_as, $uri), version = version + 1, updated_at = $now
   where id = $accountId and domain is null and $uri = any(also_known_as) returning id`,
)

/**
 * Names another account of somebody's, by its handle or address, so that it may move to theirs. Other servers are told.
 * @throws ValidationFailed (of `acct`) when nobody is found, for oneself, and for more than fifty
 */
export async function addAlias(ctx: Ctx, { accountId, name }: { accountId: string; name: string }): Promise<void> {
  const aliasId = await resolveAddress(ctx, { name, viewerId: accountId })
  const [alias] = aliasId === null ? [] : await findAlias(ctx.db, { aliasId })
  if (!alias) throw wrongName('ERR_NOT_FOUND', 'could not be found')
  if (aliasId === accountId) throw wrongName('ERR_SELF', 'is this very account')
  await ctx.write(async (tx) => {
    const [present] = await count(tx.db, { accountId })
    if (present && present.count >= MAX_ALIASES) throw wrongName('ERR_TOO_MANY', 'are too many')
    const rows = await add(tx.db, { accountId, aliaUri: alias.uri, now: tx.now })
    if (rows.length > 0) tx.emit('account.updated', { accountId, mediaKeys: [] })
  })
}

/** Takes an alias back; one that is not there changes nothing. */
export async function removeAlias(tx: Tx, { accountId, uri }: { accountId: string; uri: string }): Promise<void> {
  const rows = await remove(tx.db, { accountId, uri, now: tx.now })
  if (rows.length > 0) tx.emit('account.updated', { accountId, mediaKeys: [] })
}

const list = statement<{ params: { accountId: string }; row: { uri: string; accountId: string | null } }>(
  `select named.uri, other.id as "accountId"
   from accounts a, unnest(a.also_known_as) with ordinality named (uri, place)
     left join accounts other on other.uri = named.uri
   where a.id = $accountId order by named.place`,
)

/** The addresses that somebody names, oldest first, with the accounts that are known here by them. */
export async function readAliases(
  read: Read,
  { accountId }: { accountId: string },
): Promise<{ uri: string; accountId: string | null }[]> {
  return list(read.db, { accountId })
}

/** What is wrong with the name of an account that somebody typed. */
export function wrongName(code: string, text: string): ValidationFailed {
  return new ValidationFailed([{ attribute: 'acct', code, text }])
}

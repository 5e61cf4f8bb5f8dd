import { ForbiddenError, NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../access/usable-account.ts'
import type { Read, Tx } from '../context.ts'

export interface CollectionRow {
  id: string
  ownerId: string
}

// A collection can be found by its id even if it is not discoverable.
const collectionStatement = (more: string) =>
  statement<{ params: { id: string; targetAccountId: string | null }; row: CollectionRow }>(
    `select c.id, c.account_id as "ownerId"
     from collections c join accounts o on o.id = c.account_id left join users ou on ou.account_id = o.id
     where c.id = $id and ${usableAccount('o', 'ou')}
       and not exists (select from blocks b where b.account_id = c.account_id
         and b.target_account_id = $targetAccountId) ${more}`,
  )
const find = collectionStatement('')
const lockRow = collectionStatement('for no key update of c')

interface CollectionQuery {
  id: string
  /** null = anonymous. */
  viewerId: string | null
}

/** Returns a collection. @throws NotFoundError also if the owner is suspended or blocks the viewer */
export async function findCollection(
  read: Pick<Read, 'db'>,
  { id, viewerId }: CollectionQuery,
): Promise<CollectionRow> {
  const [row] = await find(read.db, { id, targetAccountId: viewerId })
  if (!row) throw new NotFoundError()
  return row
}

/**
 * Returns a collection of the account and locks it until the transaction ends.
 * @throws NotFoundError
 * @throws ForbiddenError for a collection of another account
 */
export async function lockOwnCollection(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
): Promise<CollectionRow> {
  const [row] = await lockRow(tx.db, { id, targetAccountId: accountId })
  if (!row) throw new NotFoundError()
  if (row.ownerId !== accountId) throw new ForbiddenError()
  return row
}

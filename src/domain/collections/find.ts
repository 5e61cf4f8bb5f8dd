import { Forbidden, NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import { usableAccount } from '../accounts/usable.ts'
import type { Read, Tx } from '../context.ts'

export interface CollectionRow {
  id: string
  ownerId: string
}

// A collection is found by its id even if it is not discoverable.
const select = (more: string) =>
  statement<{ params: { id: string; targetAccountId: string | null }; row: CollectionRow }>(
    `select c.id, c.account_id as "ownerId"
     from collections c join accounts o on o.id = c.account_id left join users ou on ou.account_id = o.id
     where c.id = $id and ${usableAccount('o', 'ou')}
       and not exists (select from blocks b where b.account_id = c.account_id
         and b.target_account_id = $targetAccountId) ${more}`,
  )
const find = select('')
const hold = select('for no key update of c')

interface Asked {
  id: string
  /** null = anybody. */
  viewerId: string | null
}

/** A collection, unless its owner is gone or does not want to be seen by who asks. @throws NotFound */
export async function findCollection(read: Pick<Read, 'db'>, { id, viewerId }: Asked): Promise<CollectionRow> {
  const [row] = await find(read.db, { id, targetAccountId: viewerId })
  if (!row) throw new NotFound()
  return row
}

/**
 * Somebody's own collection, which nobody else changes until the transaction ends.
 * @throws NotFound · Forbidden when it is another's
 */
export async function holdOwnCollection(
  tx: Tx,
  { id, accountId }: { id: string; accountId: string },
): Promise<CollectionRow> {
  const [row] = await hold(tx.db, { id, targetAccountId: accountId })
  if (!row) throw new NotFound()
  if (row.ownerId !== accountId) throw new Forbidden()
  return row
}

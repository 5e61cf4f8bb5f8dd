import { Unprocessable } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../relationships/lock-accounts.ts'
import { checkTitle } from './check-title.ts'
import type { ListRow } from './find.ts'

/** Lists that one person may have. */
const MAX_LISTS = 50

const count = statement<{ params: { accountId: string }; row: { lists: number } }>(
  `select count(*)::int as lists from lists where account_id = $accountId`,
)
const insert = statement<{
  params: { accountId: string; checked: string; repliesPolicy: string; exclusive: boolean; now: Date }
  row: ListRow
}>(
  `insert into lists (account_id, title, replies_policy, exclusive, created_at) values ($accountId, $checked,
    $repliesPolicy, $exclusive, $now)
   returning id, title, replies_policy, exclusive`,
)

/** Makes a list. @throws ValidationFailed for a title that is blank or too long · Unprocessable above the limit */
export async function createList(
  tx: Tx,
  {
    accountId,
    title,
    repliesPolicy = 'list',
    exclusive = false,
  }: {
    accountId: string
    title: string
    repliesPolicy?: ListRow['replies_policy'] | undefined
    exclusive?: boolean | undefined
  },
): Promise<ListRow> {
  const checked = checkTitle(title)
  // Held, so that however many are made at once, each counts those before it.
  await lockAccounts(tx, { ids: [accountId] })
  const [counted] = await count(tx.db, { accountId })
  if (counted && counted.lists >= MAX_LISTS) {
    throw new Unprocessable('You have reached the maximum number of lists')
  }
  const [list] = await insert(tx.db, { accountId, checked, repliesPolicy, exclusive, now: tx.now })
  return list!
}

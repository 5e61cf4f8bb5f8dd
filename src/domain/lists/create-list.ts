import { UnprocessableError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { lockAccounts } from '../core/lock-accounts.ts'
import { checkTitle } from './check-title.ts'
import type { ListRow } from './find-list.ts'

/** The maximum number of lists per user. */
const MAX_LISTS = 50

const count = statement<{ params: { accountId: string }; row: { lists: number } }>(
  `select count(*)::int as lists from lists where account_id = $accountId`,
)
const insert = statement<{
  params: { accountId: string; title: string; repliesPolicy: string; exclusive: boolean; now: Date }
  row: ListRow
}>(
  `insert into lists (account_id, title, replies_policy, exclusive, created_at) values ($accountId, $title,
    $repliesPolicy, $exclusive, $now)
   returning id, title, replies_policy, exclusive`,
)

/**
 * Creates a list (Mastodon: POST /api/v1/lists).
 * @throws ValidationError for a title that is blank or too long
 * @throws UnprocessableError above the limit
 */
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
  const checkedTitle = checkTitle(title)
  // The lock serialises concurrent calls, so that each counts the lists before it.
  await lockAccounts(tx, { ids: [accountId] })
  const [counted] = await count(tx.db, { accountId })
  if (counted && counted.lists >= MAX_LISTS) {
    throw new UnprocessableError('You have reached the maximum number of lists')
  }
  const [list] = await insert(tx.db, { accountId, title: checkedTitle, repliesPolicy, exclusive, now: tx.now })
  return list!
}

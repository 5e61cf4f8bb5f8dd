import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const MAX_TEXT_CHARACTERS = 2_000

/** What the staff did about somebody; `none`: nothing but to tell them. */
export type WarningAction =
  | 'none'
  | 'disable'
  | 'mark_statuses_as_sensitive'
  | 'delete_statuses'
  | 'sensitive'
  | 'silence'
  | 'suspend'

const insert = statement<{
  params: {
    by: string | null
    targetAccountId: string
    action: string
    words: string
    statusIds: readonly string[] | null
    now: Date
  }
  row: { id: string; is_told: boolean }
}>(
  `insert into account_warnings (account_id, target_account_id, action, text, status_ids, created_at)
   select $by, a.id, $action, $words, $statusIds, $now from accounts a where a.id = $targetAccountId
   returning id, exists (select from users u where u.account_id = $targetAccountId) as is_told`,
)

/**
 * Remembers what the staff did about somebody, in the transaction that does it, and tells them if they are of here.
 * `by`: who of the staff; null: whoever runs the server. `statusIds`: the posts that it is about. Returns its id.
 * @throws NotFound · Unprocessable for a text that is too long
 */
export async function warnAccount(
  tx: Tx,
  {
    by,
    targetAccountId,
    action,
    text = '',
    statusIds = null,
    tellThem = true,
  }: {
    by: string | null
    targetAccountId: string
    action: WarningAction
    text?: string
    statusIds?: readonly string[] | null
    tellThem?: boolean
  },
): Promise<string> {
  const words = cleanText(text).trim()
  if (words.length > MAX_TEXT_CHARACTERS) {
    throw new Unprocessable(`What they are told has at most ${MAX_TEXT_CHARACTERS} characters`)
  }
  const [row] = await insert(tx.db, { by, targetAccountId, action, words, statusIds, now: tx.now })
  if (!row) throw new NotFound()
  if (row.is_told && tellThem) tx.emit('account.warned', { warningId: row.id })
  return row.id
}

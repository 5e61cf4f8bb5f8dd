import { ValidationError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import { findAccount } from '../../accounts/lookup/find-account.ts'
import type { Tx } from '../../context.ts'

export const MAX_NOTE_CHARACTERS = 2_000

const upsert = statement<{ params: { accountId: string; targetAccountId: string; comment: string } }>(
  `insert into account_notes (account_id, target_account_id, comment) values ($accountId, $targetAccountId, $comment)
   on conflict (account_id, target_account_id) do update set comment = excluded.comment`,
)
const remove = statement<{ params: { accountId: string; targetAccountId: string } }>(
  `delete from account_notes where account_id = $accountId and target_account_id = $targetAccountId`,
)

/**
 * Saves a user's private note about an account; only the user can see it (Mastodon: POST /api/v1/accounts/:id/note). A
 * blank comment deletes the note.
 * @throws NotFoundError
 * @throws ValidationError above `MAX_NOTE_CHARACTERS`
 */
export async function saveAccountNote(
  tx: Tx,
  { accountId, targetAccountId, comment }: { accountId: string; targetAccountId: string; comment: string },
): Promise<void> {
  await findAccount(tx, { id: targetAccountId })
  if (comment.trim() === '') {
    await remove(tx.db, { accountId, targetAccountId })
    return
  }
  if (comment.length > 2 * MAX_NOTE_CHARACTERS || Array.from(comment).length > MAX_NOTE_CHARACTERS) {
    const text = `is too long (maximum is ${MAX_NOTE_CHARACTERS} characters)`
    throw new ValidationError([{ attribute: 'comment', code: 'ERR_TOO_LONG', text }])
  }
  await upsert(tx.db, { accountId, targetAccountId, comment })
}

import { NotFoundError, ValidationError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import { cleanText } from '../../../lib/text/clean-text.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { appealDeadlineOf } from './appeal-deadline.ts'

export const MAX_APPEAL_CHARACTERS = 2_000

const lockStrike = statement<{ params: { accountId: string; strikeId: string }; row: { createdAt: Date } }>(
  `select created_at as "createdAt" from account_warnings where id = $strikeId and target_account_id = $accountId
   for key share`,
)
const insert = statement<{ params: { strikeId: string; text: string; now: Date }; row: { id: string } }>(
  `insert into appeals (warning_id, text, created_at) values ($strikeId, $text, $now)
   on conflict (warning_id) do nothing returning id`,
)

/**
 * Submits the appeal of a user against a strike, once and within 20 days (Mastodon: AppealService).
 * @throws NotFoundError if the strike is not against the account; ValidationError
 */
export async function submitAppeal(
  tx: Tx,
  { accountId, strikeId, text }: { accountId: string; strikeId: string; text: string },
): Promise<void> {
  const [strike] = isId(strikeId) ? await lockStrike(tx.db, { accountId, strikeId }) : []
  if (!strike) throw new NotFoundError()
  const cleanedText = cleanText(text).trim()
  if (tx.now > appealDeadlineOf(strike)) {
    throw new ValidationError([{ attribute: 'base', code: 'ERR_TOO_LATE', text: 'It is too late to appeal' }])
  }
  if (cleanedText === '') throw new ValidationError([{ attribute: 'text', code: 'ERR_BLANK', text: "can't be blank" }])
  if (cleanedText.length > MAX_APPEAL_CHARACTERS) {
    const problem = `is too long (maximum is ${MAX_APPEAL_CHARACTERS} characters)`
    throw new ValidationError([{ attribute: 'text', code: 'ERR_TOO_LONG', text: problem }])
  }
  const [appeal] = await insert(tx.db, { strikeId, text: cleanedText, now: tx.now })
  if (!appeal) {
    throw new ValidationError([{ attribute: 'base', code: 'ERR_APPEALED', text: 'You have appealed already' }])
  }
  tx.emit('appeal.created', { appealId: appeal.id })
}

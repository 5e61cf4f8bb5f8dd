import { NotFoundError, ValidationError } from '../../../lib/errors.ts'
import { cleanText } from '../../../lib/text/clean-text.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'
import { getWarningPreset } from '../strikes/warning-presets.ts'

const MAX_TEXT_CHARACTERS = 2_000

/** The moderation action against an account (`action` of Mastodon's AccountWarning); `none`: only a warning. */
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
    text: string
    statusIds: readonly string[] | null
    reportId: string | null
    now: Date
  }
  row: { id: string; is_local: boolean }
}>(
  `insert into account_warnings (account_id, target_account_id, action, text, status_ids, report_id, created_at)
   select $by, a.id, $action, $text, $statusIds, $reportId, $now from accounts a where a.id = $targetAccountId
   returning id, exists (select from users u where u.account_id = $targetAccountId) as is_local`,
)

/**
 * Records a moderation action against an account, in the transaction of the action, and notifies the account if it is
 * local and `notify` is set. `by`: the account of the moderator; null: an administrator on the command line.
 * `presetId`: the warning preset whose text is put before `text`; `statusIds`: the affected statuses; `reportId`: the
 * report that led to the action. Returns the id of the warning.
 * @throws NotFoundError also for an unknown preset; ValidationError if the text is too long
 */
export async function warnAccount(
  tx: Tx,
  {
    by,
    targetAccountId,
    action,
    text = '',
    presetId = null,
    statusIds = null,
    reportId = null,
    notify = true,
  }: {
    by: string | null
    targetAccountId: string
    action: WarningAction
    text?: string
    presetId?: string | null
    statusIds?: readonly string[] | null
    reportId?: string | null
    notify?: boolean
  },
): Promise<string> {
  const cleanedText = cleanText(text).trim()
  if (cleanedText.length > MAX_TEXT_CHARACTERS) {
    const tooLong = `is too long (maximum is ${MAX_TEXT_CHARACTERS} characters)`
    throw new ValidationError([{ attribute: 'text', code: 'ERR_TOO_LONG', text: tooLong }])
  }
  const preset = presetId === null ? null : await getWarningPreset(tx, { id: presetId })
  const [row] = await insert(tx.db, {
    by,
    targetAccountId,
    action,
    text: [preset?.text, cleanedText].filter(Boolean).join('\n\n'),
    statusIds,
    reportId,
    now: tx.now,
  })
  if (!row) throw new NotFoundError()
  if (row.is_local && notify) tx.emit('account.warning_created', { warningId: row.id })
  return row.id
}

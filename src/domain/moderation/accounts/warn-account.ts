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

/** How long an equal warning is taken for a repetition of the request, for example after a lost response. */
const REPETITION_MINUTES = 5

const findRepeated = statement<{
  params: { by: string | null; targetAccountId: string; text: string; reportId: string | null; now: Date }
}>(
  `select from account_warnings w
   where w.target_account_id = $targetAccountId and w.action = 'none' and w.account_id is not distinct from $by
     and w.text = $text and w.report_id is not distinct from $reportId
     and w.created_at > $now::timestamptz - interval '${REPETITION_MINUTES} minutes'`,
)

interface WarningText {
  text?: string
  presetId?: string | null
}

/**
 * Returns whether the moderator has just sent the user the same warning for the same report. The caller has locked the
 * account. @throws as `warnAccount`
 */
export async function isRepeatedWarning(
  tx: Tx,
  {
    by,
    targetAccountId,
    reportId,
    ...parts
  }: WarningText & { by: string | null; targetAccountId: string; reportId: string | null },
): Promise<boolean> {
  const text = await composeText(tx, parts)
  return (await findRepeated(tx.db, { by, targetAccountId, text, reportId, now: tx.now })).length > 0
}

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
    statusIds = null,
    reportId = null,
    notify = true,
    ...parts
  }: WarningText & {
    by: string | null
    targetAccountId: string
    action: WarningAction
    statusIds?: readonly string[] | null
    reportId?: string | null
    notify?: boolean
  },
): Promise<string> {
  const [row] = await insert(tx.db, {
    by,
    targetAccountId,
    action,
    text: await composeText(tx, parts),
    statusIds,
    reportId,
    now: tx.now,
  })
  if (!row) throw new NotFoundError()
  if (row.is_local && notify) tx.emit('account.warning_created', { warningId: row.id })
  return row.id
}

async function composeText(tx: Tx, { text = '', presetId = null }: WarningText): Promise<string> {
  const cleanedText = cleanText(text).trim()
  if (cleanedText.length > MAX_TEXT_CHARACTERS) {
    const tooLong = `is too long (maximum is ${MAX_TEXT_CHARACTERS} characters)`
    throw new ValidationError([{ attribute: 'text', code: 'ERR_TOO_LONG', text: tooLong }])
  }
  const preset = presetId === null ? null : await getWarningPreset(tx, { id: presetId })
  return [preset?.text, cleanedText].filter(Boolean).join('\n\n')
}

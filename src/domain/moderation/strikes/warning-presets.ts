import { NotFoundError, ValidationError } from '../../../lib/errors.ts'
import type { FieldError } from '../../../lib/errors.ts'
import { isId } from '../../../lib/ids.ts'
import type { Page } from '../../../lib/page.ts'
import { cleanText } from '../../../lib/text/clean-text.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read, Tx } from '../../context.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'
import { recordAuditEntry } from '../../core/record-audit-entry.ts'
import type { Actor } from '../../core/record-audit-entry.ts'

const MAX_TITLE_CHARACTERS = 200
const MAX_TEXT_CHARACTERS = 2_000

/** How many characters of the text stand for a preset without a title in the audit log. */
const MAX_LABEL_CHARACTERS = 60

interface PresetTexts {
  /** For the staff; may be blank. */
  title: string
  text: string
}

export interface WarningPresetRow extends PresetTexts {
  id: string
  created_at: Date
  updated_at: Date
}

const COLUMNS = 'p.id, p.title, p.text, p.created_at, p.updated_at'
const KEYSET = keysetClause('p.id')

const find = statement<{ params: { id: string }; row: WarningPresetRow }>(
  `select ${COLUMNS} from account_warning_presets p where p.id = $id`,
)
const listDescending = statement<{ params: PageParameters; row: WarningPresetRow }>(
  `select ${COLUMNS} from account_warning_presets p where ${KEYSET.where} ${KEYSET.descending}`,
)
const listAscending = statement<{ params: PageParameters; row: WarningPresetRow }>(
  `select ${COLUMNS} from account_warning_presets p where ${KEYSET.where} ${KEYSET.ascending}`,
)
const insert = statement<{ params: PresetTexts & { now: Date }; row: { id: string } }>(
  `insert into account_warning_presets (title, text, created_at, updated_at) values ($title, $text, $now, $now)
   returning id`,
)
const lock = statement<{ params: { id: string }; row: PresetTexts }>(
  `select title, text from account_warning_presets where id = $id for update`,
)
const update = statement<{ params: PresetTexts & { id: string; now: Date } }>(
  `update account_warning_presets set title = $title, text = $text, updated_at = $now where id = $id`,
)
const remove = statement<{ params: { id: string }; row: PresetTexts }>(
  `delete from account_warning_presets where id = $id returning title, text`,
)

/** Returns a page of warning presets, newest first. */
export async function listWarningPresets(read: Read, { page }: { page: Page }): Promise<WarningPresetRow[]> {
  const params = pageParameters(page)
  return readKeysetPage(page, {
    descending: () => listDescending(read.db, params),
    ascending: () => listAscending(read.db, params),
  })
}

/** Returns one warning preset. @throws NotFoundError */
export async function getWarningPreset(read: Pick<Read, 'db'>, { id }: { id: string }): Promise<WarningPresetRow> {
  const [row] = isId(id) ? await find(read.db, { id }) : []
  if (!row) throw new NotFoundError()
  return row
}

/** Creates a warning preset and returns its id. @throws ValidationError */
export async function createWarningPreset(
  tx: Tx,
  { by, ...input }: Partial<PresetTexts> & { by: Actor },
): Promise<{ id: string }> {
  const texts = checkTexts({ title: input.title ?? '', text: input.text ?? '' })
  const [row] = await insert(tx.db, { ...texts, now: tx.now })
  await record(tx, { by, action: 'create', id: row!.id, texts })
  return row!
}

/** Changes a warning preset. Texts that are left out stay. @throws NotFoundError; ValidationError */
export async function updateWarningPreset(
  tx: Tx,
  { id, by, ...input }: Partial<PresetTexts> & { id: string; by: Actor },
): Promise<void> {
  const [before] = isId(id) ? await lock(tx.db, { id }) : []
  if (!before) throw new NotFoundError()
  const texts = checkTexts({ title: input.title ?? before.title, text: input.text ?? before.text })
  await update(tx.db, { ...texts, id, now: tx.now })
  await record(tx, { by, action: 'update', id, texts })
}

/** Deletes a warning preset. Warnings that used it keep their texts. @throws NotFoundError */
export async function deleteWarningPreset(tx: Tx, { id, by }: { id: string; by: Actor }): Promise<void> {
  const [texts] = isId(id) ? await remove(tx.db, { id }) : []
  if (!texts) throw new NotFoundError()
  await record(tx, { by, action: 'delete', id, texts })
}

function checkTexts(input: PresetTexts): PresetTexts {
  const texts = { title: cleanText(input.title).trim(), text: cleanText(input.text).trim() }
  const errors: FieldError[] = []
  const limit = (attribute: keyof PresetTexts, max: number) => {
    if (texts[attribute].length <= max) return
    errors.push({ attribute, code: 'ERR_TOO_LONG', text: `is too long (maximum is ${max} characters)` })
  }
  if (texts.text === '') errors.push({ attribute: 'text', code: 'ERR_BLANK', text: "can't be blank" })
  limit('title', MAX_TITLE_CHARACTERS)
  limit('text', MAX_TEXT_CHARACTERS)
  if (errors.length > 0) throw new ValidationError(errors)
  return texts
}

async function record(
  tx: Tx,
  { by, action, id, texts }: { by: Actor; action: 'create' | 'update' | 'delete'; id: string; texts: PresetTexts },
): Promise<void> {
  const label = texts.title || texts.text.slice(0, MAX_LABEL_CHARACTERS).toWellFormed()
  await recordAuditEntry(tx, { by, action, targetType: 'warning_preset', targetId: id, label })
}

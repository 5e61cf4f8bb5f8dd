import { ValidationError } from '../../lib/errors.ts'
import type { FieldError } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Read, Tx } from '../context.ts'
import { recordAuditEntry } from '../core/record-audit-entry.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { readStoredSettings } from '../core/settings-store.ts'
import { SETTING_NAMES, SETTINGS } from './setting-definitions.ts'
import type { SettingDefinition, SettingName, Settings } from './setting-definitions.ts'

const selectText = statement<{ params: { storedName: string }; row: { value: unknown; updated_at: Date } }>(
  `select value, updated_at from settings where name = $storedName`,
)
// Ordered, so that concurrent changes of the same settings cannot deadlock.
const lock = statement<{ params: { storedNames: readonly string[] }; row: { name: string; value: unknown } }>(
  `select name, value from settings where name = any($storedNames) order by name for no key update`,
)
const upsert = statement<{ params: { values: string; now: Date } }>(
  `insert into settings (name, value, updated_at)
   select x.key, x.value, $now from jsonb_each($values::jsonb) x order by x.key
   on conflict (name) do update set value = excluded.value, updated_at = excluded.updated_at`,
)
const remove = statement<{ params: { storedName: string } }>(`delete from settings where name = $storedName`)

/** Returns all settings: the stored values, and the defaults of the others. */
export async function readSettings(read: Read): Promise<Settings> {
  const values = (await listSettings(read)).map(({ name, value }) => [name, value])
  return Object.fromEntries(values) as Settings
}

type SettingValue = string | boolean | number

/** A setting with its value. */
export interface SettingState {
  name: SettingName
  definition: SettingDefinition
  value: SettingValue
  /** The value without a stored one. */
  fallback: SettingValue
}

/** Returns all settings with their values and defaults. */
export async function listSettings(read: Read): Promise<SettingState[]> {
  const stored = await readStoredSettings(read)
  return SETTING_NAMES.map((name) => {
    const definition = SETTINGS[name]
    const { config } = read
    const value = storedOrDefault(definition, { value: stored.get(definition.storedName), config })
    return { name, definition, value, fallback: storedOrDefault(definition, { value: undefined, config }) }
  })
}

/** Returns a stored text and the time of its last change; null if it is empty or not set. */
export async function findSettingText(
  read: Read,
  { name }: { name: SettingName },
): Promise<{ text: string; updatedAt: Date } | null> {
  const [row] = await selectText(read.db, { storedName: SETTINGS[name].storedName })
  return typeof row?.value === 'string' && row.value !== '' ? { text: row.value, updatedAt: row.updated_at } : null
}

/** Returns the stored value if it is valid, else the default. */
function storedOrDefault(
  setting: SettingDefinition,
  { value, config }: { value: unknown; config: Config },
): SettingValue {
  const { defaultValue } = setting
  const fallback = typeof defaultValue === 'function' ? defaultValue(config) : defaultValue
  if (setting.kind === 'switch') return typeof value === 'boolean' ? value : fallback
  if (setting.kind === 'integer') return typeof value === 'number' ? value : fallback
  if (typeof value !== 'string' || value === '') return fallback
  return setting.kind === 'choice' && !setting.values.includes(value) ? fallback : value
}

/**
 * Changes settings to values that are given as texts, or as booleans and numbers for switches and integers: all of them
 * or none.
 * @throws ValidationError with all invalid values
 */
export async function changeSettings(
  tx: Tx,
  { by, changes }: { by: Actor; changes: { readonly [Name in SettingName]?: SettingValue | undefined } },
): Promise<void> {
  const names = SETTING_NAMES.filter((name) => changes[name] !== undefined)
  const values = new Map<SettingName, SettingValue>()
  const problems: FieldError[] = []
  for (const name of names) {
    const parsed = await parseSetting(tx, { name, input: changes[name]! })
    if ('problem' in parsed)
      problems.push({ attribute: name.replaceAll('-', '_'), code: parsed.code, text: parsed.problem })
    else values.set(name, parsed.value)
  }
  if (problems.length > 0) throw new ValidationError(problems, { details: true })
  const stored = await lockSettings(tx, names)
  await upsert(tx.db, {
    values: JSON.stringify(Object.fromEntries([...values].map(([name, value]) => [SETTINGS[name].storedName, value]))),
    now: tx.now,
  })
  for (const [name, value] of values) await record(tx, { by, action: 'update', name, stored, next: value })
}

/**
 * Changes one setting to a value that is given as text.
 * @throws ValidationError
 */
export async function changeSetting(
  tx: Tx,
  { by, name, text }: { by: Actor; name: SettingName; text: string },
): Promise<void> {
  await changeSettings(tx, { by, changes: { [name]: text } })
}

/** Resets a setting to its default. */
export async function resetSetting(tx: Tx, { by, name }: { by: Actor; name: SettingName }): Promise<void> {
  const stored = await lockSettings(tx, [name])
  await remove(tx.db, { storedName: SETTINGS[name].storedName })
  await record(tx, { by, action: 'reset', name, stored, next: undefined })
}

async function lockSettings(tx: Tx, names: readonly SettingName[]): Promise<ReadonlyMap<string, unknown>> {
  const rows = await lock(tx.db, { storedNames: names.map((name) => SETTINGS[name].storedName) })
  return new Map(rows.map(({ name, value }) => [name, value]))
}

/** Records a change, unless the value stays the same. Of long texts, the audit log has only the lengths. */
async function record(
  tx: Tx,
  {
    by,
    action,
    name,
    stored,
    next,
  }: {
    by: Actor
    action: 'update' | 'reset'
    name: SettingName
    stored: ReadonlyMap<string, unknown>
    next: SettingValue | undefined
  },
): Promise<void> {
  const setting = SETTINGS[name]
  const { config } = tx
  const before = storedOrDefault(setting, { value: stored.get(setting.storedName), config })
  const after = storedOrDefault(setting, { value: next, config })
  if (before === after) return
  const details =
    setting.kind === 'line' && setting.isPersonal
      ? {}
      : setting.kind === 'text'
        ? { old_characters: String(before).length, new_characters: String(after).length }
        : { old: before, new: after }
  await recordAuditEntry(tx, { by, action, targetType: 'setting', targetId: null, label: name, details })
}

type Parsed = { value: SettingValue } | { code: string; problem: string }

async function parseSetting(tx: Tx, { name, input }: { name: SettingName; input: SettingValue }): Promise<Parsed> {
  const setting = SETTINGS[name]
  if (setting.kind === 'switch' && typeof input === 'boolean') return { value: input }
  const text = String(input)
  if (setting.kind === 'integer') {
    const value = /^\d{1,9}$/.test(text.trim()) ? Number(text) : null
    if (value !== null && value >= setting.minimum && value <= setting.maximum) return { value }
    return { code: 'ERR_INCLUSION', problem: `is not a number from ${setting.minimum} to ${setting.maximum}` }
  }
  if (setting.kind === 'switch' || setting.kind === 'choice') {
    const values = setting.kind === 'switch' ? ['on', 'off'] : setting.values
    if (!values.includes(text)) return { code: 'ERR_INCLUSION', problem: `is not one of ${values.join(', ')}` }
    return { value: setting.kind === 'switch' ? text === 'on' : text }
  }
  const cleaned = cleanText(text).trim()
  if (cleaned.length > setting.maxCharacters)
    return { code: 'ERR_TOO_LONG', problem: `is too long (maximum is ${setting.maxCharacters} characters)` }
  if (setting.kind === 'line' && cleaned.includes('\n'))
    return { code: 'ERR_INVALID', problem: 'has more than one line' }
  if (!setting.check || cleaned === '') return { value: cleaned }
  const checked = await setting.check(tx, cleaned)
  return 'problem' in checked ? { code: 'ERR_INVALID', ...checked } : checked
}

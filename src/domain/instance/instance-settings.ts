import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Config } from '../../platform/config/config.ts'
import { emailProblem } from '../accounts/registration/check-credentials.ts'
import { findLocalAccountId } from '../account-deletion/delete-account.ts'
import { DIRECTORY_SETTING } from '../accounts/lookup/list-directory.ts'
import { REGISTRATIONS_SETTING } from '../accounts/registration/read-registrations-mode.ts'
import type { Read, Tx } from '../context.ts'
import { TIMELINE_ACCESS, timelineAccessSetting } from '../timelines/public/timeline-access.ts'
import { readStoredSettings, writeSetting } from '../core/settings-store.ts'
import { TRENDS_SETTING, UNREVIEWED_SETTING } from '../trends/read-trends-settings.ts'

/** A setting that administrators can change. `storedName`: its name in the table `settings`. */
interface Setting {
  description: string
  storedName: string
}

/** One of a list of values. */
interface ChoiceSetting<Value extends string> extends Setting {
  kind: 'choice'
  values: readonly Value[]
  defaultValue: Value | ((config: Config) => Value)
}

/** `on` or `off`. */
interface BooleanSetting extends Setting {
  kind: 'switch'
  defaultValue: boolean
}

/** Free text, which may be empty. A `line` has no line breaks. */
interface TextSetting extends Setting {
  kind: 'line' | 'text'
  maxCharacters: number
  defaultValue: '' | ((config: Config) => string)
  /** Returns the value to store. Throws UnprocessableError for an invalid text. */
  check?: (tx: Tx, text: string) => Promise<string>
}

const AUDIENCES = ['disabled', 'users', 'all'] as const
/** Who can see a part of the instance information: nobody, local users, or everybody. */
export type Audience = (typeof AUDIENCES)[number]

const timelineAccessChoice = (side: 'local' | 'remote', subject: 'live' | 'topic', description: string) =>
  ({
    kind: 'choice',
    description,
    storedName: timelineAccessSetting(side, subject),
    values: TIMELINE_ACCESS,
    defaultValue: 'public',
  }) as const

const MARKDOWN_SETTING = { kind: 'text', maxCharacters: 100_000, defaultValue: '' } as const

/** All settings that can be changed while the server runs, by the names that the CLI uses. */
const SETTING_DEFINITIONS = {
  title: {
    kind: 'line',
    description: 'name of the server',
    storedName: 'site_title',
    maxCharacters: 100,
    defaultValue: (config: Config) => config.webDomain,
  },
  description: {
    kind: 'text',
    description: 'short description',
    storedName: 'site_description',
    maxCharacters: 1_000,
    defaultValue: '',
  },
  'extended-description': {
    ...MARKDOWN_SETTING,
    description: 'extended description, in Markdown',
    storedName: 'site_extended_description',
  },
  'privacy-policy': {
    ...MARKDOWN_SETTING,
    description: 'privacy policy, in Markdown',
    storedName: 'site_privacy_policy',
  },
  'contact-email': {
    kind: 'line',
    description: 'contact e-mail address',
    storedName: 'site_contact_email',
    maxCharacters: 254,
    defaultValue: '',
    check: checkEmail,
  },
  'contact-account': {
    kind: 'line',
    description: 'local contact account; default: the first owner',
    storedName: 'site_contact_username',
    maxCharacters: 30,
    defaultValue: '',
    check: checkAccount,
  },
  'status-page': {
    kind: 'line',
    description: 'URL of a status page',
    storedName: 'status_page_url',
    maxCharacters: 2_000,
    defaultValue: '',
    check: checkUrl,
  },
  'source-code': {
    kind: 'line',
    description: 'URL of the source code of this server',
    storedName: 'source_code_url',
    maxCharacters: 2_000,
    defaultValue: '',
    check: checkUrl,
  },
  registrations: {
    kind: 'choice',
    description: 'registration mode; approved: staff approve each account',
    storedName: REGISTRATIONS_SETTING,
    values: ['open', 'approved', 'none'],
    defaultValue: (config: Config) => config.registrationsMode,
  },
  'registrations-message': {
    kind: 'text',
    description: 'message while registrations are closed, in Markdown',
    storedName: 'closed_registrations_message',
    maxCharacters: 1_000,
    defaultValue: '',
  },
  directory: {
    kind: 'switch',
    description: 'profile directory of discoverable accounts',
    storedName: DIRECTORY_SETTING,
    defaultValue: true,
  },
  'timelines-local-live': timelineAccessChoice('local', 'live', 'access to the local public timeline'),
  'timelines-remote-live': timelineAccessChoice('remote', 'live', 'access to the remote public timeline'),
  'timelines-local-topic': timelineAccessChoice('local', 'topic', 'access to local posts in hashtag timelines'),
  'timelines-remote-topic': timelineAccessChoice('remote', 'topic', 'access to remote posts in hashtag timelines'),
  trends: {
    kind: 'switch',
    description: 'trending hashtags, posts and links',
    storedName: TRENDS_SETTING,
    defaultValue: true,
  },
  'trends-unreviewed': {
    kind: 'switch',
    description: 'show trends before staff reviewed them',
    storedName: UNREVIEWED_SETTING,
    defaultValue: false,
  },
  peers: {
    kind: 'switch',
    description: 'publish the list of known servers',
    storedName: 'peers_api_enabled',
    defaultValue: true,
  },
  activity: {
    kind: 'switch',
    description: 'publish weekly activity statistics',
    storedName: 'activity_api_enabled',
    defaultValue: true,
  },
  'annual-reports': {
    kind: 'switch',
    description: 'annual reports in December',
    storedName: 'wrapstodon',
    defaultValue: true,
  },
  'domain-blocks': {
    kind: 'choice',
    description: 'who can see the list of blocked servers',
    storedName: 'show_domain_blocks',
    values: AUDIENCES,
    defaultValue: 'disabled',
  },
  'domain-block-comments': {
    kind: 'choice',
    description: 'who can see the reasons of domain blocks',
    storedName: 'show_domain_blocks_rationale',
    values: AUDIENCES,
    defaultValue: 'disabled',
  },
} satisfies Record<string, ChoiceSetting<string> | BooleanSetting | TextSetting>

export type SettingName = keyof typeof SETTING_DEFINITIONS

export const SETTINGS: Readonly<Record<SettingName, ChoiceSetting<string> | BooleanSetting | TextSetting>> =
  SETTING_DEFINITIONS

type ValueOf<Row> = Row extends { values: readonly (infer Value)[] }
  ? Value
  : Row extends BooleanSetting
    ? boolean
    : string

/** The effective values by name. */
export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof SETTING_DEFINITIONS)[Name]> }

const selectText = statement<{ params: { storedName: string }; row: { value: unknown; updated_at: Date } }>(
  `select value, updated_at from settings where name = $storedName`,
)
const remove = statement<{ params: { storedName: string } }>(`delete from settings where name = $storedName`)

/** Returns all settings: the stored values, and the defaults of the others. */
export async function readSettings(read: Read): Promise<Settings> {
  const stored = await readStoredSettings(read)
  const values = Object.entries(SETTINGS).map(([name, setting]) => [
    name,
    storedOrDefault(setting, { value: stored.get(setting.storedName), config: read.config }),
  ])
  return Object.fromEntries(values) as Settings
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
  setting: (typeof SETTINGS)[SettingName],
  { value, config }: { value: unknown; config: Config },
): string | boolean {
  const { defaultValue } = setting
  const fallback = typeof defaultValue === 'function' ? defaultValue(config) : defaultValue
  if (setting.kind === 'switch') return typeof value === 'boolean' ? value : fallback
  if (typeof value !== 'string' || value === '') return fallback
  return setting.kind === 'choice' && !setting.values.includes(value) ? fallback : value
}

/**
 * Changes a setting to a value that is given as text.
 * @throws UnprocessableError for an invalid value, with a message for the administrator
 */
export async function changeSetting(tx: Tx, { name, text }: { name: SettingName; text: string }): Promise<void> {
  const setting = SETTINGS[name]
  await writeSetting(tx, { name: setting.storedName, value: await parseSetting(tx, { name, text }) })
}

/** Resets a setting to its default. */
export async function resetSetting(tx: Tx, { name }: { name: SettingName }): Promise<void> {
  await remove(tx.db, { storedName: SETTINGS[name].storedName })
}

async function parseSetting(tx: Tx, { name, text }: { name: SettingName; text: string }): Promise<string | boolean> {
  const setting = SETTINGS[name]
  if (setting.kind === 'switch' || setting.kind === 'choice') {
    const values = setting.kind === 'switch' ? ['on', 'off'] : setting.values
    if (!values.includes(text)) throw new UnprocessableError(`${name} is one of ${values.join(', ')}`)
    return setting.kind === 'switch' ? text === 'on' : text
  }
  const cleaned = cleanText(text).trim()
  if (cleaned.length > setting.maxCharacters) {
    throw new UnprocessableError(`${name} has at most ${setting.maxCharacters} characters`)
  }
  if (setting.kind === 'line' && cleaned.includes('\n')) throw new UnprocessableError(`${name} is a single line`)
  return setting.check && cleaned !== '' ? setting.check(tx, cleaned) : cleaned
}

async function checkEmail(_tx: Tx, text: string): Promise<string> {
  if (emailProblem(text)) throw new UnprocessableError(`"${text}" is not an e-mail address`)
  return text
}

async function checkAccount(tx: Tx, text: string): Promise<string> {
  const username = text.replace(/^@/, '')
  await findLocalAccountId(tx, { username }).catch((err: unknown) => {
    throw err instanceof NotFoundError ? new UnprocessableError(err.message) : err
  })
  return username
}

async function checkUrl(_tx: Tx, text: string): Promise<string> {
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text))
    throw new UnprocessableError(`"${text}" is not a web address`)
  return text
}

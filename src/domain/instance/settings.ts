import { NotFound, Unprocessable } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Config } from '../../platform/config.ts'
import { emailProblem } from '../accounts/check-person.ts'
import { findLocalPerson } from '../accounts/delete.ts'
import { DIRECTORY_SETTING } from '../accounts/directory.ts'
import { REGISTRATIONS_SETTING } from '../accounts/registrations.ts'
import type { Read, Tx } from '../context.ts'
import { FEED_ACCESS, feedAccessSetting } from '../feeds/access.ts'
import { readChosen, writeSetting } from '../settings.ts'
import { TRENDS_SETTING, UNREVIEWED_SETTING } from '../trends/settings.ts'

/** Something that the owner may choose. `stored`: its name in the database. */
interface Setting {
  about: string
  stored: string
}

/** One of a few words. */
interface Choice<Value extends string> extends Setting {
  kind: 'choice'
  values: readonly Value[]
  preset: Value | ((config: Config) => Value)
}

/** `on` or `off`. */
interface Switch extends Setting {
  kind: 'switch'
  preset: boolean
}

/** In the owner's own words; empty where nothing is said. A `line` has no line ends. */
interface Words extends Setting {
  kind: 'line' | 'text'
  maxCharacters: number
  preset: '' | ((config: Config) => string)
  /** Refuses what is not of the right form, and gives what is kept. */
  check?: (tx: Tx, text: string) => Promise<string>
}

const AUDIENCES = ['disabled', 'users', 'all'] as const
/** Who is shown something: nobody, people of here, or everybody. */
export type Audience = (typeof AUDIENCES)[number]

const feedAccess = (side: 'local' | 'remote', subject: 'live' | 'topic', about: string) =>
  ({ kind: 'choice', about, stored: feedAccessSetting(side, subject), values: FEED_ACCESS, preset: 'public' }) as const

const DOCUMENT = { kind: 'text', maxCharacters: 100_000, preset: '' } as const

/** Everything that the owner may choose while the server runs, by the names that commands use. */
const TABLE = {
  title: {
    kind: 'line',
    about: 'name of the server',
    stored: 'site_title',
    maxCharacters: 100,
    preset: (config: Config) => config.webDomain,
  },
  description: {
    kind: 'text',
    about: 'short description',
    stored: 'site_description',
    maxCharacters: 1_000,
    preset: '',
  },
  'extended-description': {
    ...DOCUMENT,
    about: 'extended description, in Markdown',
    stored: 'site_extended_description',
  },
  'privacy-policy': {
    ...DOCUMENT,
    about: 'privacy policy, in Markdown',
    stored: 'site_privacy_policy',
  },
  'contact-email': {
    kind: 'line',
    about: 'contact e-mail address',
    stored: 'site_contact_email',
    maxCharacters: 254,
    preset: '',
    check: checkEmail,
  },
  'contact-account': {
    kind: 'line',
    about: 'local contact account; default: the first owner',
    stored: 'site_contact_username',
    maxCharacters: 30,
    preset: '',
    check: checkAccount,
  },
  'status-page': {
    kind: 'line',
    about: 'URL of a status page',
    stored: 'status_page_url',
    maxCharacters: 2_000,
    preset: '',
    check: checkAddress,
  },
  'source-code': {
    kind: 'line',
    about: 'URL of the source code of this server',
    stored: 'source_code_url',
    maxCharacters: 2_000,
    preset: '',
    check: checkAddress,
  },
  registrations: {
    kind: 'choice',
    about: 'registration mode; approved: staff approve each account',
    stored: REGISTRATIONS_SETTING,
    values: ['open', 'approved', 'none'],
    preset: (config: Config) => config.registrationsMode,
  },
  'registrations-message': {
    kind: 'text',
    about: 'message while registrations are closed, in Markdown',
    stored: 'closed_registrations_message',
    maxCharacters: 1_000,
    preset: '',
  },
  directory: {
    kind: 'switch',
    about: 'profile directory of discoverable accounts',
    stored: DIRECTORY_SETTING,
    preset: true,
  },
  'timelines-local-live': feedAccess('local', 'live', 'access to the local public timeline'),
  'timelines-remote-live': feedAccess('remote', 'live', 'access to the remote public timeline'),
  'timelines-local-topic': feedAccess('local', 'topic', 'access to local posts in hashtag timelines'),
  'timelines-remote-topic': feedAccess('remote', 'topic', 'access to remote posts in hashtag timelines'),
  trends: {
    kind: 'switch',
    about: 'trending hashtags, posts and links',
    stored: TRENDS_SETTING,
    preset: true,
  },
  'trends-unreviewed': {
    kind: 'switch',
    about: 'show trends before staff reviewed them',
    stored: UNREVIEWED_SETTING,
    preset: false,
  },
  peers: {
    kind: 'switch',
    about: 'publish the list of known servers',
    stored: 'peers_api_enabled',
    preset: true,
  },
  activity: {
    kind: 'switch',
    about: 'publish weekly activity statistics',
    stored: 'activity_api_enabled',
    preset: true,
  },
  'annual-reports': {
    kind: 'switch',
    about: 'annual reports in December',
    stored: 'wrapstodon',
    preset: true,
  },
  'domain-blocks': {
    kind: 'choice',
    about: 'who can see the list of blocked servers',
    stored: 'show_domain_blocks',
    values: AUDIENCES,
    preset: 'disabled',
  },
  'domain-block-comments': {
    kind: 'choice',
    about: 'who can see the reasons of domain blocks',
    stored: 'show_domain_blocks_rationale',
    values: AUDIENCES,
    preset: 'disabled',
  },
} satisfies Record<string, Choice<string> | Switch | Words>

export type SettingName = keyof typeof TABLE

export const SETTINGS: Readonly<Record<SettingName, Choice<string> | Switch | Words>> = TABLE

type ValueOf<Row> = Row extends { values: readonly (infer Value)[] } ? Value : Row extends Switch ? boolean : string

/** What holds, by name. */
export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof TABLE)[Name]> }

const findText = statement<{ params: { stored: string }; row: { value: unknown; updated_at: Date } }>(
  `select value, updated_at from settings where name = $stored`,
)
const remove = statement<{ params: { stored: string } }>(`delete from settings where name = $stored`)

/** Everything that the owner chose, and what holds where they did not. */
export async function readSettings(read: Read): Promise<Settings> {
  const chosen = await readChosen(read)
  const values = Object.entries(SETTINGS).map(([name, setting]) => [
    name,
    valueOf(setting, { value: chosen.get(setting.stored), config: read.config }),
  ])
  return Object.fromEntries(values) as Settings
}

/** A text of the owner, and since when it is what it is; null where there is none. */
export async function readOwnersText(
  read: Read,
  { name }: { name: SettingName },
): Promise<{ text: string; updatedAt: Date } | null> {
  const [row] = await findText(read.db, { stored: SETTINGS[name].stored })
  return typeof row?.value === 'string' && row.value !== '' ? { text: row.value, updatedAt: row.updated_at } : null
}

/** What is stored, as long as it is of the right kind. */
function valueOf(
  setting: (typeof SETTINGS)[SettingName],
  { value, config }: { value: unknown; config: Config },
): string | boolean {
  const { preset } = setting
  const fallback = typeof preset === 'function' ? preset(config) : preset
  if (setting.kind === 'switch') return typeof value === 'boolean' ? value : fallback
  if (typeof value !== 'string' || value === '') return fallback
  return setting.kind === 'choice' && !setting.values.includes(value) ? fallback : value
}

/**
 * Sets what the owner chose, said as text.
 * @throws Unprocessable, with a sentence for the owner, for what it can't be
 */
export async function changeSetting(tx: Tx, { name, text }: { name: SettingName; text: string }): Promise<void> {
  const setting = SETTINGS[name]
  await writeSetting(tx, { name: setting.stored, value: await understand(tx, { name, text }) })
}

/** Makes hold again what holds unless something is chosen. */
export async function resetSetting(tx: Tx, { name }: { name: SettingName }): Promise<void> {
  await remove(tx.db, { stored: SETTINGS[name].stored })
}

async function understand(tx: Tx, { name, text }: { name: SettingName; text: string }): Promise<string | boolean> {
  const setting = SETTINGS[name]
  if (setting.kind === 'switch' || setting.kind === 'choice') {
    const words = setting.kind === 'switch' ? ['on', 'off'] : setting.values
    if (!words.includes(text)) throw new Unprocessable(`${name} is one of ${words.join(', ')}`)
    return setting.kind === 'switch' ? text === 'on' : text
  }
  const words = cleanText(text).trim()
  if (words.length > setting.maxCharacters) {
    throw new Unprocessable(`${name} has at most ${setting.maxCharacters} characters`)
  }
  if (setting.kind === 'line' && words.includes('\n')) throw new Unprocessable(`${name} is a single line`)
  return setting.check && words !== '' ? setting.check(tx, words) : words
}

async function checkEmail(_tx: Tx, text: string): Promise<string> {
  if (emailProblem(text)) throw new Unprocessable(`"${text}" is no e-mail address`)
  return text
}

async function checkAccount(tx: Tx, text: string): Promise<string> {
  const username = text.replace(/^@/, '')
  await findLocalPerson(tx, { username }).catch((err: unknown) => {
    throw err instanceof NotFound ? new Unprocessable(err.message) : err
  })
  return username
}

async function checkAddress(_tx: Tx, text: string): Promise<string> {
  if (!/^https?:\/\/./i.test(text) || !URL.canParse(text)) throw new Unprocessable(`"${text}" is no web address`)
  return text
}

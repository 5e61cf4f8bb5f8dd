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
    about: 'what the server is called',
    stored: 'site_title',
    maxCharacters: 100,
    preset: (config: Config) => config.webDomain,
  },
  description: {
    kind: 'text',
    about: 'what it is about, in a few sentences',
    stored: 'site_description',
    maxCharacters: 1_000,
    preset: '',
  },
  'extended-description': {
    ...DOCUMENT,
    about: 'the same at length, in Markdown',
    stored: 'site_extended_description',
  },
  'privacy-policy': {
    ...DOCUMENT,
    about: 'what happens to data of people, in Markdown',
    stored: 'site_privacy_policy',
  },
  'contact-email': {
    kind: 'line',
    about: 'where people can write to',
    stored: 'site_contact_email',
    maxCharacters: 254,
    preset: '',
    check: checkEmail,
  },
  'contact-account': {
    kind: 'line',
    about: 'whom of here they can turn to; unless said, the first owner',
    stored: 'site_contact_username',
    maxCharacters: 30,
    preset: '',
    check: checkAccount,
  },
  'status-page': {
    kind: 'line',
    about: 'the address of a page that tells whether the server works',
    stored: 'status_page_url',
    maxCharacters: 2_000,
    preset: '',
    check: checkAddress,
  },
  'source-code': {
    kind: 'line',
    about: 'the address where the source of this server, as it runs, can be had',
    stored: 'source_code_url',
    maxCharacters: 2_000,
    preset: '',
    check: checkAddress,
  },
  registrations: {
    kind: 'choice',
    about: 'who may sign up: everybody, those whom a moderator approves, or nobody',
    stored: REGISTRATIONS_SETTING,
    values: ['open', 'approved', 'none'],
    preset: (config: Config) => config.registrationsMode,
  },
  'registrations-message': {
    kind: 'text',
    about: 'what is said while nobody may sign up, in Markdown',
    stored: 'closed_registrations_message',
    maxCharacters: 1_000,
    preset: '',
  },
  directory: {
    kind: 'switch',
    about: 'whether people who want to be found are listed',
    stored: DIRECTORY_SETTING,
    preset: true,
  },
  'timelines-local-live': feedAccess('local', 'live', 'who may read what is public of here'),
  'timelines-remote-live': feedAccess('remote', 'live', 'who may read what is public of elsewhere'),
  'timelines-local-topic': feedAccess('local', 'topic', 'who may read it by hashtag, of here'),
  'timelines-remote-topic': feedAccess('remote', 'topic', 'who may read it by hashtag, of elsewhere'),
  trends: {
    kind: 'switch',
    about: 'whether it is told which hashtags, posts and links trend',
    stored: TRENDS_SETTING,
    preset: true,
  },
  'trends-unreviewed': {
    kind: 'switch',
    about: 'whether they are told before anybody of the staff looked at them',
    stored: UNREVIEWED_SETTING,
    preset: false,
  },
  peers: {
    kind: 'switch',
    about: 'whether it is told which other servers are known here',
    stored: 'peers_api_enabled',
    preset: true,
  },
  activity: {
    kind: 'switch',
    about: 'whether it is told how much happens here in a week',
    stored: 'activity_api_enabled',
    preset: true,
  },
  'annual-reports': {
    kind: 'switch',
    about: 'whether people can look back on their year in December',
    stored: 'wrapstodon',
    preset: true,
  },
  'domain-blocks': {
    kind: 'choice',
    about: 'who is told which servers are blocked here',
    stored: 'show_domain_blocks',
    values: AUDIENCES,
    preset: 'disabled',
  },
  'domain-block-comments': {
    kind: 'choice',
    about: 'who of them is told why',
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
  await tx.db.deleteFrom('settings').where('name', '=', SETTINGS[name].stored).execute()
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

import { NotFoundError } from '../../lib/errors.ts'
import type { Config } from '../../platform/config/config.ts'
import { emailProblem } from '../accounts/registration/check-credentials.ts'
import { findLocalAccountId } from '../account-deletion/delete-account.ts'
import { DIRECTORY_SETTING } from '../accounts/lookup/list-directory.ts'
import { REGISTRATIONS_SETTING } from '../accounts/registration/read-registrations-mode.ts'
import { MAX_BOOTSTRAP_ACCOUNTS, SIGN_UP_SETTINGS } from '../accounts/registration/read-sign-up-settings.ts'
import type { Tx } from '../context.ts'
import { TIMELINE_ACCESS, timelineAccessSetting } from '../timelines/public/timeline-access.ts'
import { ARCHIVE_RETENTION_SETTING, DEFAULT_ARCHIVE_RETENTION_DAYS } from '../transfers/archives/account-archives.ts'
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

interface IntegerSetting extends Setting {
  kind: 'integer'
  minimum: number
  maximum: number
  defaultValue: number
}

/** Free text, which may be empty. A `line` has no line breaks. */
interface TextSetting extends Setting {
  kind: 'line' | 'text'
  maxCharacters: number
  defaultValue: '' | ((config: Config) => string)
  /** Returns the value to store, or what is wrong with the text, in words that follow the name of the setting. */
  check?: (tx: Tx, text: string) => Promise<{ value: string } | { problem: string }>
  /** The audit log does not record its values. */
  isPersonal?: true
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

const signUpLimit = (limit: 'perDay' | 'perIp' | 'perEmailDomain', subject: string) =>
  ({
    kind: 'integer',
    description: `limit of ${subject}; 0: none`,
    storedName: SIGN_UP_SETTINGS[limit],
    minimum: 0,
    maximum: 1_000_000,
    defaultValue: 0,
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
    isPersonal: true,
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
  'require-invite-text': {
    kind: 'switch',
    description: 'require a reason from users who request an account',
    storedName: SIGN_UP_SETTINGS.reasonRequired,
    defaultValue: false,
  },
  'min-age': {
    kind: 'integer',
    description: 'minimum age of new users in years; 0: none',
    storedName: SIGN_UP_SETTINGS.minAge,
    minimum: 0,
    maximum: 120,
    defaultValue: 0,
  },
  'captcha-enabled': {
    kind: 'switch',
    description: 'hCaptcha on the page of the confirmation link; needs HCAPTCHA_SITE_KEY and HCAPTCHA_SECRET_KEY',
    storedName: SIGN_UP_SETTINGS.captcha,
    defaultValue: false,
  },
  'sign-ups-per-day': signUpLimit('perDay', 'sign-ups a day (UTC)'),
  'sign-ups-per-ip': signUpLimit('perIp', 'sign-ups a day from one IP address (IPv6: one /64)'),
  'sign-ups-per-email-domain': signUpLimit('perEmailDomain', 'sign-ups a day with addresses of one e-mail domain'),
  'bootstrap-timeline-accounts': {
    kind: 'line',
    description: 'local accounts that new users follow and all others get as first suggestions, separated by commas',
    storedName: SIGN_UP_SETTINGS.bootstrapAccounts,
    maxCharacters: 1_000,
    defaultValue: '',
    check: checkAccounts,
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
  'backups-retention-period': {
    kind: 'integer',
    description: 'days after the request for which users can download their archive',
    storedName: ARCHIVE_RETENTION_SETTING,
    minimum: 1,
    maximum: 365,
    defaultValue: DEFAULT_ARCHIVE_RETENTION_DAYS,
  },
} satisfies Record<string, ChoiceSetting<string> | BooleanSetting | IntegerSetting | TextSetting>

export type SettingName = keyof typeof SETTING_DEFINITIONS

export type SettingDefinition = ChoiceSetting<string> | BooleanSetting | IntegerSetting | TextSetting

export const SETTINGS: Readonly<Record<SettingName, SettingDefinition>> = SETTING_DEFINITIONS

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[]

type ValueOf<Row> = Row extends { values: readonly (infer Value)[] }
  ? Value
  : Row extends BooleanSetting
    ? boolean
    : Row extends IntegerSetting
      ? number
      : string

/** The effective values by name. */
export type Settings = { readonly [Name in SettingName]: ValueOf<(typeof SETTING_DEFINITIONS)[Name]> }

type Checked = { value: string } | { problem: string }

async function checkEmail(_tx: Tx, text: string): Promise<Checked> {
  return emailProblem(text) ? { problem: 'is not an e-mail address' } : { value: text }
}

async function checkAccount(tx: Tx, text: string): Promise<Checked> {
  const username = text.replace(/^@/, '')
  try {
    await findLocalAccountId(tx, { username })
    return { value: username }
  } catch (err) {
    if (err instanceof NotFoundError) return { problem: 'is not a local account' }
    throw err
  }
}

async function checkAccounts(tx: Tx, text: string): Promise<Checked> {
  const names = text.split(',').map((name) => name.trim().replace(/^@/, ''))
  if (names.length > MAX_BOOTSTRAP_ACCOUNTS) return { problem: `has more than ${MAX_BOOTSTRAP_ACCOUNTS} accounts` }
  for (const name of names) {
    const checked = await checkAccount(tx, name)
    if ('problem' in checked) return { problem: 'has a name that is not a local account' }
  }
  return { value: names.join(',') }
}

async function checkUrl(_tx: Tx, text: string): Promise<Checked> {
  return /^https?:\/\/./i.test(text) && URL.canParse(text) ? { value: text } : { problem: 'is not a web address' }
}

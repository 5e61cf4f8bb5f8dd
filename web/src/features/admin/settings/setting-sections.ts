import type { MessageKinds } from '../../../lib/i18n/message-kinds.ts'

/** The settings of the server by page and heading. */
export const SETTING_SECTIONS = {
  general: [
    { title: 'web.admin.settings.group.server', names: ['title', 'description', 'status_page', 'source_code'] },
    { title: 'web.admin.settings.group.contact', names: ['contact_email', 'contact_account'] },
    { title: 'web.admin.settings.group.archives', names: ['backups_retention_period'] },
  ],
  registrations: [
    {
      title: 'web.admin.settings.group.mode',
      names: ['registrations', 'registrations_message', 'require_invite_text', 'min_age', 'captcha_enabled'],
    },
    {
      title: 'web.admin.settings.group.limits',
      names: ['sign_ups_per_day', 'sign_ups_per_ip', 'sign_ups_per_email_domain'],
    },
    { title: 'web.admin.settings.group.start', names: ['bootstrap_timeline_accounts'] },
  ],
  discovery: [
    {
      title: 'web.admin.settings.group.timelines',
      names: ['timelines_local_live', 'timelines_remote_live', 'timelines_local_topic', 'timelines_remote_topic'],
    },
    {
      title: 'web.admin.settings.group.discovery',
      names: ['directory', 'trends', 'trends_unreviewed', 'annual_reports'],
    },
    {
      title: 'web.admin.settings.group.published',
      names: ['peers', 'activity', 'domain_blocks', 'domain_block_comments'],
    },
  ],
  texts: [{ title: 'web.admin.settings.group.texts', names: ['extended_description', 'privacy_policy'] }],
} as const satisfies Record<string, readonly { title: keyof MessageKinds; names: readonly string[] }[]>

export type SettingSection = keyof typeof SETTING_SECTIONS
export type SettingName = (typeof SETTING_SECTIONS)[SettingSection][number]['names'][number]

/** All pages of settings. The terms of service have versions instead of a value. */
export const SETTINGS_PAGES = ['general', 'registrations', 'discovery', 'texts', 'terms'] as const
export type SettingsPageName = (typeof SETTINGS_PAGES)[number]

/** Settings in Markdown. */
export const MARKDOWN_SETTINGS: readonly SettingName[] = [
  'extended_description',
  'privacy_policy',
  'registrations_message',
]

/** Settings with a text that explains them. */
export const EXPLAINED = [
  'title',
  'description',
  'status_page',
  'source_code',
  'contact_email',
  'contact_account',
  'backups_retention_period',
  'registrations_message',
  'require_invite_text',
  'min_age',
  'captcha_enabled',
  'sign_ups_per_day',
  'sign_ups_per_ip',
  'bootstrap_timeline_accounts',
  'directory',
  'trends_unreviewed',
  'peers',
  'extended_description',
  'privacy_policy',
] as const satisfies readonly SettingName[]

const ACCESS = {
  public: 'web.admin.choice.access.public',
  authenticated: 'web.admin.choice.access.authenticated',
  disabled: 'web.admin.choice.access.disabled',
} as const
const AUDIENCE = {
  all: 'web.admin.choice.audience.all',
  users: 'web.admin.choice.audience.users',
  disabled: 'web.admin.choice.audience.disabled',
} as const

/** The texts of the values of settings with a choice. */
export const CHOICES: { readonly [Name in SettingName]?: Readonly<Record<string, MessageIdWithoutValues>> } = {
  registrations: {
    open: 'web.admin.choice.registrations.open',
    approved: 'web.admin.choice.registrations.approved',
    none: 'web.admin.choice.registrations.none',
  },
  timelines_local_live: ACCESS,
  timelines_remote_live: ACCESS,
  timelines_local_topic: ACCESS,
  timelines_remote_topic: ACCESS,
  domain_blocks: AUDIENCE,
  domain_block_comments: AUDIENCE,
}

type MessageIdWithoutValues =
  | (typeof ACCESS)[keyof typeof ACCESS]
  | (typeof AUDIENCE)[keyof typeof AUDIENCE]
  | `web.admin.choice.registrations.${'open' | 'approved' | 'none'}`

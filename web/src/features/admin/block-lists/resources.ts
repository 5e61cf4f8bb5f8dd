import type {
  AdminCanonicalEmailBlock,
  AdminDomainAllow,
  AdminEmailDomainBlock,
  AdminIpBlock,
  AdminRelay,
  AdminUsernameBlock,
  AdminWarningPreset,
} from '../../../lib/api/admin-entities.ts'
import { formatFullTime } from '../../../lib/i18n/formats.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { UNCHANGED } from './resource.ts'
import type { Resource, ResourceField } from './resource.ts'

const TITLE_CHARACTERS = 60
const DAY_SECONDS = 86_400

const approvalField = (): ResourceField => ({
  type: 'switch',
  name: 'allowWithApproval',
  label: message('web.admin.blocks.allow-with-approval'),
})

const approvalText = (allowWithApproval: boolean): string =>
  message(allowWithApproval ? 'web.admin.blocks.approval' : 'web.admin.blocks.refused')

/* Functions, since the texts are loaded before the pages but after the modules that the first page needs. */

export const domainAllows = (): Resource<AdminDomainAllow> => ({
  path: 'domain_allows',
  exports: 'domain_allows',
  permission: 'manageFederation',
  texts: { empty: message('web.admin.domain-allows.empty'), create: message('web.admin.domain-allows.new') },
  isEditable: false,
  fields: () => [
    { type: 'domain', name: 'domain', label: message('web.admin.domain-blocks.domain'), isRequired: true },
  ],
  initial: { domain: '' },
  describe: ({ domain }) => ({ name: domain, details: '', comment: '' }),
  valuesOf: ({ domain }) => ({ domain }),
})

export const emailDomainBlocks = (): Resource<AdminEmailDomainBlock> => ({
  path: 'email_domain_blocks',
  exports: 'email_domain_blocks',
  permission: 'manageBlocks',
  texts: { empty: message('web.admin.email-blocks.empty'), create: message('web.admin.email-blocks.new') },
  isEditable: false,
  fields: () => [
    { type: 'domain', name: 'domain', label: message('web.admin.domain-blocks.domain'), isRequired: true },
    approvalField(),
  ],
  initial: { domain: '', allowWithApproval: false },
  describe: ({ domain, allowWithApproval }) => ({
    name: domain,
    details: approvalText(allowWithApproval),
    comment: '',
  }),
  valuesOf: ({ domain, allowWithApproval }) => ({ domain, allowWithApproval }),
})

const SEVERITIES = ['sign_up_requires_approval', 'sign_up_block', 'no_access'] as const
const EXPIRIES = [
  ['0', 'never'],
  [String(DAY_SECONDS), 'day'],
  [String(14 * DAY_SECONDS), 'weeks'],
  [String(30 * DAY_SECONDS), 'month'],
  [String(365 * DAY_SECONDS), 'year'],
] as const

const expiryOf = (expiresAt: string) => ({ time: formatFullTime(new Date(expiresAt)) })

export const ipBlocks = (): Resource<AdminIpBlock> => ({
  path: 'ip_blocks',
  permission: 'manageBlocks',
  texts: { empty: message('web.admin.ip-blocks.empty'), create: message('web.admin.ip-blocks.new') },
  isEditable: true,
  fields: (row) => [
    { type: 'domain', name: 'ip', label: message('web.admin.ip-blocks.ip'), isRequired: true },
    {
      type: 'choice',
      name: 'severity',
      label: message('web.admin.domain-blocks.severity'),
      options: SEVERITIES.map((name) => [name, message(`web.admin.ip-blocks.severity.${name}`)]),
    },
    {
      type: 'choice',
      name: 'expiresIn',
      label: message('web.admin.ip-blocks.expires'),
      options: [
        ...(row?.expiresAt
          ? [[UNCHANGED, message('web.admin.ip-blocks.expires.unchanged', expiryOf(row.expiresAt))] as const]
          : []),
        ...EXPIRIES.map(([seconds, name]) => [seconds, message(`web.admin.ip-blocks.expires.${name}`)] as const),
      ],
    },
    { type: 'line', name: 'comment', label: message('web.admin.ip-blocks.comment') },
  ],
  initial: { ip: '', severity: 'sign_up_requires_approval', expiresIn: '0', comment: '' },
  describe: ({ ip, severity, comment, expiresAt }) => ({
    name: ip,
    details: [
      message(`web.admin.ip-blocks.severity.${severity}`),
      ...(expiresAt === null ? [] : [message('web.admin.ip-blocks.until', expiryOf(expiresAt))]),
    ].join(' · '),
    comment,
  }),
  valuesOf: ({ ip, severity, comment, expiresAt }) => ({
    ip,
    severity,
    comment,
    expiresIn: expiresAt === null ? 0 : Math.max(1, Math.round((new Date(expiresAt).getTime() - Date.now()) / 1000)),
  }),
  shownValuesOf: ({ expiresAt }) => ({ expiresIn: expiresAt === null ? '0' : UNCHANGED }),
})

export const usernameBlocks = (): Resource<AdminUsernameBlock> => ({
  path: 'username_blocks',
  permission: 'manageBlocks',
  texts: { empty: message('web.admin.username-blocks.empty'), create: message('web.admin.username-blocks.new') },
  isEditable: true,
  fields: () => [
    { type: 'domain', name: 'username', label: message('web.admin.accounts.username'), isRequired: true },
    {
      type: 'choice',
      name: 'comparison',
      label: message('web.admin.username-blocks.comparison'),
      options: (['equals', 'contains'] as const).map((name) => [name, message(`web.admin.username-blocks.${name}`)]),
    },
    approvalField(),
  ],
  initial: { username: '', comparison: 'equals', allowWithApproval: false },
  describe: ({ username, comparison, allowWithApproval }) => ({
    name: username,
    details: [message(`web.admin.username-blocks.${comparison}`), approvalText(allowWithApproval)].join(' · '),
    comment: '',
  }),
  valuesOf: ({ username, comparison, allowWithApproval }) => ({ username, comparison, allowWithApproval }),
})

/** The addresses themselves are not stored. A new block is of an address, a restored one of its hash. */
export const canonicalEmailBlocks = (): Resource<AdminCanonicalEmailBlock> => ({
  path: 'canonical_email_blocks',
  permission: 'manageBlocks',
  texts: {
    empty: message('web.admin.canonical-blocks.empty'),
    create: message('web.admin.canonical-blocks.new'),
    intro: message('web.admin.canonical-blocks.intro'),
  },
  isEditable: false,
  fields: () => [
    {
      type: 'email',
      name: 'email',
      label: message('web.admin.account.email'),
      hint: message('web.admin.canonical-blocks.hint'),
      isRequired: true,
    },
  ],
  initial: { email: '' },
  describe: ({ canonicalEmailHash }) => ({ name: canonicalEmailHash, details: '', comment: '' }),
  valuesOf: ({ canonicalEmailHash }) => ({ canonicalEmailHash }),
})

export const relays = (): Resource<AdminRelay> => ({
  path: 'relays',
  permission: 'manageFederation',
  texts: {
    empty: message('web.admin.relays.empty'),
    create: message('web.admin.relays.new'),
    intro: message('web.admin.relays.intro'),
  },
  isEditable: false,
  fields: () => [
    {
      type: 'url',
      name: 'inboxUrl',
      label: message('web.admin.relays.inbox'),
      hint: message('web.admin.relays.hint'),
      isRequired: true,
    },
  ],
  initial: { inboxUrl: '' },
  describe: ({ inboxUrl, state }) => ({
    name: inboxUrl,
    details: message(`web.admin.relays.state.${state}`),
    comment: '',
  }),
  valuesOf: ({ inboxUrl }) => ({ inboxUrl }),
})

export const warningPresets = (): Resource<AdminWarningPreset> => ({
  path: 'warning_presets',
  permission: 'manageSettings',
  texts: { empty: message('web.admin.presets.empty'), create: message('web.admin.presets.new') },
  isEditable: true,
  fields: () => [
    { type: 'line', name: 'title', label: message('web.admin.presets.title') },
    { type: 'text', name: 'text', label: message('web.admin.presets.text'), isRequired: true },
  ],
  initial: { title: '', text: '' },
  describe: ({ title, text }) => ({ name: title || text.slice(0, TITLE_CHARACTERS), details: '', comment: text }),
  valuesOf: ({ title, text }) => ({ title, text }),
})

import type { AdminAuditLogEntry } from '../../../lib/api/admin-entities.ts'
import { formatFullTime, formatLanguage, formatNumber } from '../../../lib/i18n/formats.ts'
import { locale, message } from '../../../lib/i18n/messages.ts'
import type { MessageId } from '../../../lib/i18n/messages.ts'
import { GROUPED_PERMISSIONS } from '../roles/permission-groups.ts'
import { CHOICES } from '../settings/setting-sections.ts'
import { settingOf } from './audit-labels.ts'
import { findText } from './audit-texts.ts'

/** The names of the details that other pages show, too. */
const NAMES: Readonly<Record<string, MessageId>> = {
  allDay: 'web.admin.announcements.allDay',
  allowWithApproval: 'web.admin.blocks.allow-with-approval',
  autofollow: 'web.admin.invites.autofollow-on',
  byDomain: 'web.admin.domain-blocks.domain',
  comparison: 'web.admin.username-blocks.comparison',
  days: 'web.admin.media.days',
  disabled: 'web.admin.emojis.disabled',
  displayName: 'web.admin.tags.display-name',
  domain: 'web.admin.domain-blocks.domain',
  endsAt: 'web.admin.announcements.endsAt',
  events: 'web.admin.webhooks.events',
  expiresAt: 'web.admin.ip-blocks.expires',
  keepInteracted: 'web.admin.media.keepInteracted',
  listable: 'web.admin.tags.listable',
  localVersionsDays: 'web.admin.retention-policy.localVersionsDays',
  maxUses: 'web.admin.invites.max-uses',
  notificationsDays: 'web.admin.retention-policy.notificationsDays',
  obfuscate: 'web.admin.domain-blocks.obfuscate',
  overwrite: 'web.admin.imports.overwrite',
  permissions: 'web.admin.roles.permissions',
  position: 'web.admin.roles.position',
  profiles: 'web.admin.media.profiles',
  published: 'web.admin.announcements.state.published',
  rejectMedia: 'web.admin.domain-blocks.rejectMedia',
  rejectReports: 'web.admin.domain-blocks.rejectReports',
  remoteStatusesDays: 'web.admin.retention-policy.remoteStatusesDays',
  remoteVersionsDays: 'web.admin.retention-policy.remoteVersionsDays',
  require2fa: 'web.admin.roles.require-2fa',
  ruleIds: 'web.admin.reports.rules',
  scheduledAt: 'web.admin.announcements.scheduledAt',
  severity: 'web.admin.domain-blocks.severity',
  startsAt: 'web.admin.announcements.startsAt',
  strikeAction: 'web.admin.audit.action',
  trendable: 'web.admin.tags.trendable',
  usable: 'web.admin.tags.usable',
  visibleInPicker: 'web.admin.emojis.listed',
}

/** Ids, whose meaning another detail, the target or a link says. */
const HIDDEN = new Set(['accountId', 'assignedAccountId', 'deliveryId', 'ids', 'reportId', 'roleId', 'strikeId'])

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

/** A detail in words. `time`: the time that the value names. */
export interface AuditDetail {
  name: string
  value: string
  time?: string
}

/** Returns what else the log says about an action, in words; what is unknown as it is. */
export function detailsOf(entry: AdminAuditLogEntry): AuditDetail[] {
  return Object.entries(entry.details)
    .filter(([name, value]) => value !== null && value !== '' && !HIDDEN.has(name))
    .map(([name, value]) => ({
      name: nameOf(name),
      value: valueOf(entry, { name, value }),
      ...(typeof value === 'string' && TIME.test(value) && { time: value }),
    }))
}

const nameOf = (name: string) => findText(NAMES[name] ?? `web.admin.audit.detail.${name}`) ?? name

function valueOf(entry: AdminAuditLogEntry, { name, value }: { name: string; value: unknown }): string {
  if (typeof value === 'boolean') return message(value ? 'web.admin.roles.yes' : 'web.admin.roles.no')
  if (typeof value === 'number') return formatNumber(value)
  if (Array.isArray(value))
    return name === 'ruleIds'
      ? formatNumber(value.length)
      : listOf(value.map((one) => textOf(entry, name, String(one))))
  // The text of a rule and its hint.
  if (typeof value === 'object' && value !== null)
    return Object.values(value)
      .filter((one) => one !== '')
      .map(String)
      .join(' · ')
  return textOf(entry, name, String(value))
}

function textOf({ targetType, label }: AdminAuditLogEntry, name: string, text: string): string {
  if (TIME.test(text)) return formatFullTime(new Date(text))
  switch (name) {
    case 'language':
      return formatLanguage(text)
    case 'permissions':
      return permissionsOf(text)
    case 'event':
    case 'events':
      return findText(`web.admin.webhooks.event.${text}`) ?? text
    case 'comparison':
      return findText(`web.admin.username-blocks.${text}`) ?? text
    case 'strikeAction':
      return findText(`web.admin.strike.${text}`) ?? text
    case 'severity':
      return findText(`web.admin.${targetType === 'ip_block' ? 'ip-blocks' : 'domain-blocks'}.severity.${text}`) ?? text
    case 'category':
      return (targetType === 'report' && findText(`web.admin.reports.category.${text}`)) || text
    case 'old':
    case 'new': {
      const setting = targetType === 'setting' ? settingOf(label) : undefined
      const choice = setting && CHOICES[setting]?.[text]
      return choice ? message(choice) : text
    }
    default:
      return text
  }
}

function permissionsOf(text: string): string {
  const permissions = BigInt(text)
  const names = GROUPED_PERMISSIONS.flatMap(({ permissions: group }) => group)
    .filter(({ bit }) => (permissions & bit) !== 0n)
    .map(({ name }) => message(`web.admin.permission.${name}`))
  return names.length === 0 ? message('web.admin.roles.count', { count: 0 }) : listOf(names)
}

const listOf = (texts: readonly string[]): string => new Intl.ListFormat(locale).format(texts)

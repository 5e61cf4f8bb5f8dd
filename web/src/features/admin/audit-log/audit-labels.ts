import type { AdminAuditLogEntry } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { formatUtcDay } from '../../../lib/i18n/utc-day.ts'
import { SETTING_SECTIONS } from '../settings/setting-sections.ts'
import type { SettingName, SettingSection } from '../settings/setting-sections.ts'

/** Returns the page of a setting. */
export function pageOfSetting(name: string): SettingSection | undefined {
  const pages = Object.entries(SETTING_SECTIONS) as [SettingSection, readonly { names: readonly string[] }[]][]
  return pages.find(([, sections]) => sections.some(({ names }) => names.includes(name)))?.[0]
}

/** Returns the name in the API of a setting, which commands write with hyphens. */
export function settingOf(label: string): SettingName | undefined {
  const name = label.replaceAll('-', '_')
  return pageOfSetting(name) && (name as SettingName)
}

/** Returns the target of an entry in words; empty if its type says all. */
export function labelOf({ targetType, targetId, label }: AdminAuditLogEntry): string {
  switch (targetType) {
    case 'setting': {
      if (label === 'thumbnail') return message('web.admin.media.kind.thumbnails')
      if (label === 'icon') return message('web.admin.settings.icon')
      const setting = settingOf(label)
      return setting ? message(`web.admin.setting.${setting}`) : label
    }
    case 'terms_of_service':
      return /^\d{4}-\d\d-\d\d$/.test(label) ? formatUtcDay(new Date(label)) : label
    case 'domain_block_import':
    case 'mail':
      return `#${targetId}`
    case 'retention_policy':
    case 'search_index':
      return ''
    case 'media_cache':
      if (label === 'unreferenced files') return message('web.admin.audit.unreferenced-files')
      return label === 'media cache' ? '' : label
    case 'role':
      return label === 'everyone' ? message('web.admin.roles.everyone') : label
    case 'host':
    case 'invite':
    case 'job':
      return label === 'all' ? message('web.admin.accounts.all') : label
    case 'account':
      if (label === 'local accounts') return message('web.admin.audit.local-accounts')
      return label === 'remote accounts' ? message('web.admin.audit.remote-accounts') : label
    default:
      return label
  }
}

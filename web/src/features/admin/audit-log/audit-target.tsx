import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AdminAuditLogEntry } from '../../../lib/api/admin-entities.ts'
import type { AdminPath } from '../shared/shell/admin-sections.ts'
import { useStaff } from '../shared/shell/use-staff.ts'
import { labelOf, pageOfSetting, settingOf } from './audit-labels.ts'
import { nameOfTarget } from './audit-texts.ts'

/** The pages of targets, or of the lists of which they are rows. */
const SECTIONS = {
  account: '/admin/accounts',
  announcement: '/admin/announcements',
  appeal: '/admin/appeals',
  canonical_email_block: '/admin/canonical_email_blocks',
  custom_emoji: '/admin/custom_emojis',
  custom_emoji_category: '/admin/custom_emojis',
  domain_allow: '/admin/domain_allows',
  domain_block: '/admin/domain_blocks',
  domain_block_import: '/admin/domain_blocks',
  email_domain_block: '/admin/email_domain_blocks',
  host: '/admin/deliveries',
  invite: '/admin/invites',
  ip_block: '/admin/ip_blocks',
  job: '/admin/jobs',
  mail: '/admin/mails',
  media_cache: '/admin/media',
  preview_card: '/admin/trends',
  preview_card_provider: '/admin/trends',
  relay: '/admin/relays',
  report: '/admin/reports',
  retention_policy: '/admin/retention_policy',
  role: '/admin/roles',
  rule: '/admin/rules',
  setting: '/admin/settings',
  terms_of_service: '/admin/settings',
  username_block: '/admin/username_blocks',
  warning_preset: '/admin/warning_presets',
  webhook: '/admin/webhooks',
} as const satisfies Record<string, AdminPath>

/** The target of an entry: its type, and a link to it or to its list, if there is one. */
export function AuditTarget({ entry }: { entry: AdminAuditLogEntry }) {
  const type = nameOfTarget(entry.targetType)
  const label = labelOf(entry)
  if (label === '') return <TargetLink entry={entry}>{type}</TargetLink>
  return (
    <>
      {type}{' '}
      <TargetLink entry={entry}>
        <bdi>{label}</bdi>
      </TargetLink>
    </>
  )
}

/** What was deleted has no link, and neither has what the role of the user does not permit to open. */
function TargetLink({ entry, children: text }: { entry: AdminAuditLogEntry; children: ReactNode }) {
  const staff = useStaff()
  const { action, targetType, targetId: id, label } = entry
  const section = sectionOf(targetType)
  if (action === 'delete' || (section && !staff?.mayOpen(section))) return text
  if (id !== null) {
    if (targetType === 'account')
      return (
        <Link to="/admin/accounts/$id" params={{ id }}>
          {text}
        </Link>
      )
    if (targetType === 'report')
      return (
        <Link to="/admin/reports/$id" params={{ id }}>
          {text}
        </Link>
      )
    if (targetType === 'webhook')
      return (
        <Link to="/admin/webhooks/$id" params={{ id }}>
          {text}
        </Link>
      )
    if (targetType === 'domain_block_import')
      return (
        <Link to="/admin/domain_blocks/imports/$id" params={{ id }}>
          {text}
        </Link>
      )
  }
  if (targetType === 'setting')
    return (
      <Link to="/admin/settings/$page" params={{ page: pageOfSetting(settingOf(label) ?? '') ?? 'general' }}>
        {text}
      </Link>
    )
  if (targetType === 'terms_of_service')
    return (
      <Link to="/admin/settings/$page" params={{ page: 'terms' }}>
        {text}
      </Link>
    )
  if (targetType === 'tag')
    return (
      <Link to="/tags/$tag" params={{ tag: label }}>
        {text}
      </Link>
    )
  if (targetType === 'status' && /^https?:/.test(label))
    return (
      <a href={label} target="_blank" rel="noopener noreferrer">
        {text}
      </a>
    )
  return section ? <Link to={section}>{text}</Link> : text
}

const sectionOf = (targetType: string): (typeof SECTIONS)[keyof typeof SECTIONS] | undefined =>
  Object.entries(SECTIONS).find(([type]) => type === targetType)?.[1]

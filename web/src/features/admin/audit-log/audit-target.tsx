import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { AdminAuditLogEntry } from '../../../lib/api/admin-entities.ts'
import { labelOf, pageOfSetting, settingOf } from './audit-labels.ts'
import { nameOfTarget } from './audit-texts.ts'

/** The pages of targets that are rows of a list. */
const LISTS = {
  announcement: '/admin/announcements',
  appeal: '/admin/appeals',
  canonical_email_block: '/admin/canonical_email_blocks',
  custom_emoji: '/admin/custom_emojis',
  custom_emoji_category: '/admin/custom_emojis',
  domain_allow: '/admin/domain_allows',
  domain_block: '/admin/domain_blocks',
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
  retention_policy: '/admin/retention_policy',
  role: '/admin/roles',
  rule: '/admin/rules',
  username_block: '/admin/username_blocks',
  warning_preset: '/admin/warning_presets',
} as const

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

/** What was deleted has no link. */
function TargetLink({ entry, children: text }: { entry: AdminAuditLogEntry; children: ReactNode }) {
  const { action, targetType, targetId: id, label } = entry
  if (action === 'delete') return text
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
  const list = listOf(targetType)
  return list ? <Link to={list}>{text}</Link> : text
}

const listOf = (targetType: string): (typeof LISTS)[keyof typeof LISTS] | undefined =>
  Object.entries(LISTS).find(([type]) => type === targetType)?.[1]

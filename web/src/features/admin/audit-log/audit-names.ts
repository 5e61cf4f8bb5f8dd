import { message } from '../../../lib/i18n/messages.ts'

/** The types of targets (`src/domain/core/record-audit-entry.ts`). */
export const AUDIT_TARGETS = [
  'account',
  'account_moderation_note',
  'announcement',
  'appeal',
  'canonical_email_block',
  'custom_emoji',
  'custom_emoji_category',
  'domain',
  'domain_allow',
  'domain_block',
  'domain_block_import',
  'email_domain_block',
  'host',
  'invite',
  'ip_block',
  'job',
  'mail',
  'media_cache',
  'preview_card',
  'preview_card_provider',
  'relay',
  'report',
  'report_note',
  'retention_policy',
  'role',
  'rule',
  'setting',
  'status',
  'tag',
  'terms_of_service',
  'username_block',
  'warning_preset',
  'webhook',
] as const

/** The actions of all targets. */
export const AUDIT_ACTIONS = [
  'approve',
  'assign',
  'change_email',
  'change_role',
  'confirm',
  'copy',
  'create',
  'delete',
  'disable',
  'disable_2fa',
  'drop',
  'enable',
  'expire',
  'expire_all',
  'mark_as_sensitive',
  'migrate',
  'prune',
  'publish',
  'purge',
  'redeliver',
  'reject',
  'remove_translation',
  'rename',
  'reopen',
  'reorder',
  'reset',
  'reset_password',
  'resolve',
  'restore',
  'retry',
  'rotate_keys',
  'rotate_secret',
  'run',
  'sensitive',
  'silence',
  'suspend',
  'test',
  'translate',
  'unassign',
  'unpublish',
  'unsensitive',
  'unsilence',
  'unsuspend',
  'update',
  'warn',
] as const

/** Returns the type of a target in words; an unknown one as it is. */
export function nameOfTarget(type: string): string {
  const known = AUDIT_TARGETS.find((name) => name === type)
  return known ? message(`web.admin.audit.target.${known}`) : type
}

/** Returns an action in words; an unknown one as it is. */
export function nameOfAction(action: string): string {
  const known = AUDIT_ACTIONS.find((name) => name === action)
  return known ? message(`web.admin.audit.action.${known}`) : action
}

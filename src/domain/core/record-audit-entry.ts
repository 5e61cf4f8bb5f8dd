import { snakeCase } from '../../lib/text/snake-case.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** What the staff do, by the type of the target. */
export interface AuditActions {
  account:
    | 'create'
    | 'warn'
    | 'disable'
    | 'sensitive'
    | 'silence'
    | 'suspend'
    | 'approve'
    | 'reject'
    | 'enable'
    | 'unsilence'
    | 'unsensitive'
    | 'unsuspend'
    | 'memorialize'
    | 'unmemorialize'
    | 'delete'
    | 'change_role'
    | 'confirm'
    | 'change_email'
    | 'reset_password'
    | 'disable_2fa'
    | 'prune'
    | 'migrate'
    | 'rotate_keys'
    | 'create_token'
    | 'rebuild_feeds'
    | 'clear_feeds'
    | 'suppress_suggestion'
    | 'restore_suggestion'
  account_moderation_note: 'create' | 'delete'
  canonical_email_block: 'create' | 'delete'
  email_domain_block: 'create' | 'delete'
  announcement: 'create' | 'update' | 'publish' | 'unpublish' | 'delete'
  custom_emoji: 'create' | 'update' | 'copy' | 'delete'
  custom_emoji_category: 'rename'
  rule: 'create' | 'update' | 'translate' | 'remove_translation' | 'reorder' | 'delete'
  setting: 'update' | 'reset'
  terms_of_service: 'publish' | 'notify' | 'test' | 'delete'
  ip_block: 'create' | 'update' | 'delete'
  domain: 'purge'
  domain_allow: 'create' | 'delete'
  domain_block: 'create' | 'update' | 'delete'
  appeal: 'approve' | 'reject'
  domain_block_import: 'create' | 'confirm' | 'delete'
  retention_policy: 'update' | 'run'
  report: 'assign' | 'unassign' | 'resolve' | 'reopen' | 'update'
  report_note: 'create' | 'delete'
  tag: 'update' | 'approve' | 'reject'
  status: 'approve' | 'reject' | 'delete' | 'mark_as_sensitive' | 'restore'
  relay: 'create' | 'delete'
  invite: 'create' | 'expire' | 'expire_all'
  role: 'create' | 'update' | 'delete'
  username_block: 'create' | 'update' | 'delete'
  preview_card: 'approve' | 'reject'
  preview_card_provider: 'approve' | 'reject'
  warning_preset: 'create' | 'update' | 'delete'
  host: 'retry' | 'reset' | 'drop'
  job: 'retry' | 'delete'
  mail: 'retry' | 'delete' | 'test'
  media_cache: 'purge' | 'delete'
  search_index: 'rebuild'
  webhook: 'create' | 'update' | 'delete' | 'enable' | 'disable' | 'rotate_secret' | 'test' | 'redeliver'
}

export type AuditTargetType = keyof AuditActions

/** Who acts: a member of the staff, or null for an administrator on the command line. */
export type Actor = { readonly accountId: string } | null

const insert = statement<{
  params: {
    accountId: string | null
    action: string
    targetType: string
    targetId: string | null
    label: string
    details: string
    now: Date
  }
}>(
  `insert into audit_log_entries (account_id, action, target_type, target_id, label, details, created_at)
   values ($accountId, $action, $targetType, $targetId, $label, $details::jsonb, $now)`,
)

/**
 * Records what a member of the staff did, in the transaction of the action. `label`: the target in words, for readers
 * of the log after it was deleted; `details`: what changed, with names that are stored in snake case, as in the API.
 * Neither contains secrets, e-mail addresses or reporters.
 */
export async function recordAuditEntry<Type extends AuditTargetType>(
  tx: Tx,
  entry: {
    by: Actor
    action: AuditActions[Type]
    targetType: Type
    targetId: string | null
    label: string
    details?: Readonly<Record<string, unknown>>
  },
): Promise<void> {
  const { by, details = {}, ...rest } = entry
  await insert(tx.db, {
    ...rest,
    accountId: by?.accountId ?? null,
    details: JSON.stringify(
      Object.fromEntries(Object.entries(details).map(([name, value]) => [snakeCase(name), value])),
    ),
    now: tx.now,
  })
}

import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

/** How many rows one statement deletes at most, so that none holds its locks for long. */
const BATCH = 2_000

/** Columns that reference an account, whose rows are deleted with it, in the order of their deletion. */
export const CLEARED_COLUMNS = [
  'account_conversations.account_id',
  'account_domain_blocks.account_id',
  'account_imports.account_id',
  'account_moderation_notes.target_account_id',
  'account_moves.account_id',
  'account_moves.target_account_id',
  'account_notes.account_id',
  'account_notes.target_account_id',
  'account_warnings.target_account_id',
  'announcement_dismissals.account_id',
  'announcement_reactions.account_id',
  'annual_reports.account_id',
  'blocks.account_id',
  'blocks.target_account_id',
  'bookmarks.account_id',
  'collection_items.account_id',
  'collections.account_id',
  'conversation_mutes.account_id',
  'featured_tags.account_id',
  'filters.account_id',
  'follow_requests.account_id',
  'follow_requests.target_account_id',
  'idempotency_keys.account_id',
  'imported_statuses.account_id',
  'preview_link_uses.account_id',
  'list_accounts.account_id',
  'lists.account_id',
  'markers.account_id',
  'mentions.account_id',
  'mutes.account_id',
  'mutes.target_account_id',
  'notification_permissions.account_id',
  'notification_permissions.from_account_id',
  'notification_policies.account_id',
  'notification_requests.account_id',
  'notification_requests.from_account_id',
  'notifications.account_id',
  'notifications.from_account_id',
  'status_pins.account_id',
  'poll_votes.account_id',
  'polls.account_id',
  'relationship_severance_events.account_id',
  'reports.account_id',
  'reports.target_account_id',
  'scheduled_statuses.account_id',
  'severed_follows.account_id',
  'severed_follows.target_account_id',
  'suggestion_dismissals.account_id',
  'suggestion_dismissals.target_account_id',
  'suppressed_suggestions.account_id',
  'tag_follows.account_id',
  'tag_uses.account_id',
  'users.account_id',
]

/**
 * Of these, columns whose rows belong to other users or to the staff. They stay if the row of the account stays: a user
 * who has blocked a remote account still blocks it when its suspension ends.
 */
const OTHERS_COLUMNS: ReadonlySet<string> = new Set([
  'account_notes.target_account_id',
  'account_warnings.target_account_id',
  'blocks.target_account_id',
  'mutes.target_account_id',
  'reports.account_id',
  'reports.target_account_id',
  'suppressed_suggestions.account_id',
])

const removals = CLEARED_COLUMNS.map((name) => {
  const [table, column] = name.split('.')
  const remove = statement<{ params: { accountId: string }; row: { removed: number } }>(
    `delete from ${table}
     where ctid = any(array(select ctid from ${table} where ${column} = $accountId limit ${BATCH}))
     returning 1 as removed`,
  )
  return { remove, belongsToOthers: OTHERS_COLUMNS.has(name) }
})

/**
 * Deletes a batch of the rows that belong to an account or are about it and that no counter of another account
 * includes, such as bookmarks, mutes and notifications. `keepsRow`: the row of the account stays, with what others have
 * recorded about it. Returns whether there are more.
 */
export async function deleteAccountRows(
  tx: Tx,
  { accountId, keepsRow }: { accountId: string; keepsRow: boolean },
): Promise<boolean> {
  for (const { remove, belongsToOthers } of removals) {
    if (keepsRow && belongsToOthers) continue
    if ((await remove(tx.db, { accountId })).length === BATCH) return true
  }
  return false
}

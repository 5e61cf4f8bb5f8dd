import { MAX_COUNTED } from '../../../domain/moderation/accounts/preview-account-action.ts'
import type { StatusActionImpact } from '../../../domain/moderation/statuses/preview-status-action.ts'
import type { AdminStatusActionImpact } from '../../../entities/admin/content/admin-status-action-impact.ts'
import { entityJson } from '../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'

/** Returns the entity of what an action against statuses of an account would affect. */
export function renderAdminStatusActionImpact({
  accountId,
  type,
  impact,
}: {
  accountId: string
  type: AdminStatusActionImpact['type']
  impact: StatusActionImpact
}): EntityJson<AdminStatusActionImpact> {
  return entityJson<AdminStatusActionImpact>({
    account_id: accountId,
    type,
    statuses_count: impact.statuses,
    replies_count: impact.replies,
    reblogs_count: impact.reblogs,
    favourites_count: impact.favourites,
    bookmarks_count: impact.bookmarks,
    quotes_count: impact.quotes,
    media_files_count: impact.media_files,
    media_files_bytes: impact.media_bytes,
    servers_count: impact.servers,
    counts_limit: MAX_COUNTED,
    reversible: impact.reversible,
    reversible_until: impact.reversibleUntil?.toISOString() ?? null,
  })
}

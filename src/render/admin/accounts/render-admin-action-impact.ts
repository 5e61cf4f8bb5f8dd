import { MAX_COUNTED } from '../../../domain/moderation/accounts/preview-account-action.ts'
import type { ActionImpact } from '../../../domain/moderation/accounts/preview-account-action.ts'
import type { AdminActionImpact } from '../../../entities/admin/accounts/admin-action-impact.ts'
import { entityJson } from '../../../lib/json/entity-json.ts'
import type { EntityJson } from '../../../lib/json/json-content.ts'

/** Returns the entity of what an action against an account would affect. */
export function renderAdminActionImpact({
  accountId,
  type,
  impact,
}: {
  accountId: string
  type: AdminActionImpact['type']
  impact: ActionImpact
}): EntityJson<AdminActionImpact> {
  return entityJson<AdminActionImpact>({
    account_id: accountId,
    type,
    statuses_count: impact.statuses,
    local_followers_count: impact.local_followers,
    remote_followers_count: impact.remote_followers,
    local_following_count: impact.local_following,
    remote_following_count: impact.remote_following,
    lost_follows_count: impact.lost_follows,
    follow_requests_count: impact.follow_requests,
    lists_count: impact.lists,
    collections_count: impact.collections,
    open_reports_count: impact.open_reports,
    sessions_count: impact.sessions,
    applications_count: impact.applications,
    scheduled_statuses_count: impact.scheduled_statuses,
    media_files_count: impact.media_files,
    media_files_bytes: impact.media_bytes,
    servers_count: impact.servers,
    counts_limit: MAX_COUNTED,
    reversible: impact.reversible,
    reversible_until: impact.reversibleUntil?.toISOString() ?? null,
  })
}

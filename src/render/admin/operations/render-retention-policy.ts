import type { Read } from '../../../domain/context.ts'
import { measureRetentionSizes } from '../../../domain/retention/measure-retention-sizes.ts'
import { readRetentionPolicy } from '../../../domain/retention/retention-policy.ts'
import { readRetentionRuns } from '../../../domain/retention/run-retention.ts'
import type { AdminRetentionPolicy } from '../../../entities/admin/operations/admin-retention-policy.ts'
import { entity } from '../../../lib/json/entity-json.ts'

/** Returns the retention policy with sizes and runs (Linnet: GET /api/v1/admin/retention_policy). */
export async function renderRetentionPolicy(read: Read, { now }: { now: Date }): Promise<AdminRetentionPolicy> {
  const policy = await readRetentionPolicy(read)
  const runs = await readRetentionRuns(read, { now })
  const sizes = await measureRetentionSizes(read)
  return entity<AdminRetentionPolicy>({
    remote_statuses_days: policy.remoteStatusesDays,
    notifications_days: policy.notificationsDays,
    remote_versions_days: policy.remoteVersionsDays,
    local_versions_days: policy.localVersionsDays,
    media_cache_max_bytes: read.config.mediaCacheBytes,
    areas: sizes.map(({ area, rows, bytes, estimated }) => {
      const run = runs.find((one) => one.area === area)
      return {
        name: area,
        rows,
        rows_estimated: estimated,
        bytes,
        enabled: run?.enabled ?? true,
        running: run?.running ?? false,
        last_run_at: run?.lastRunAt?.toISOString() ?? null,
        last_pruned_count: run?.lastCount ?? 0,
        next_run_at: run?.nextRunAt?.toISOString() ?? null,
      }
    }),
  })
}

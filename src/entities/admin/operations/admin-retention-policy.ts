import { type Static, Type } from 'typebox'
import { nullable } from '../../schema/nullable.ts'
import { oneOf } from '../../schema/one-of.ts'
import { DateTime } from '../../schema/time.ts'

const RetentionArea = Type.Object({
  name: oneOf(['remote_statuses', 'notifications', 'status_versions', 'media_cache']),
  rows: Type.Integer({ description: 'Of the cache: files.' }),
  rows_estimated: Type.Boolean({ description: 'Rows of large tables are estimated.' }),
  bytes: Type.Integer({ description: 'With indexes. Of remote statuses: their share of the tables, about.' }),
  enabled: Type.Boolean({ description: 'Whether old rows are pruned.' }),
  running: Type.Boolean({ description: 'Whether the last pass is unfinished; the next run continues it.' }),
  last_run_at: nullable(DateTime),
  last_pruned_count: Type.Integer({ description: 'Rows that the last pass has pruned.' }),
  next_run_at: nullable(DateTime, { description: 'null: pruning is disabled. The cache has no runs of its own.' }),
})

export const AdminRetentionPolicy = Type.Object(
  {
    remote_statuses_days: Type.Integer({
      description: 'Days after which remote statuses without local interaction are pruned; 0 = never, in all fields.',
    }),
    notifications_days: Type.Integer(),
    remote_versions_days: Type.Integer({ description: 'Of earlier versions of remote statuses since the last edit.' }),
    local_versions_days: Type.Integer({ description: 'Of earlier versions of local statuses since the last edit.' }),
    media_cache_max_bytes: Type.Integer({ description: '`MEDIA_CACHE_GB`.' }),
    areas: Type.Array(RetentionArea),
  },
  { $id: 'AdminRetentionPolicy', description: 'What is pruned when, with sizes and runs. Specific to Linnet.' },
)
export type AdminRetentionPolicy = Static<typeof AdminRetentionPolicy>

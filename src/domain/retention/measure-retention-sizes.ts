import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import type { RetentionArea } from './run-retention.ts'

/** A table up to this size is counted; the rows of larger ones are estimated from PostgreSQL's statistics. */
const MAX_COUNTED_BYTES = 256 * 1024 * 1024

export interface RetentionSize {
  area: RetentionArea | 'media_cache'
  rows: number
  /** Tables with their indexes; of the cache, the files. */
  bytes: number
  /** Whether `rows` is an estimate. */
  estimated: boolean
}

interface TableSize {
  table_bytes: string
  bytes: string
  estimated_rows: number
}

const sizeOf = (table: string, relations = [table]) =>
  statement<{ row: TableSize; notNull: keyof TableSize }>(
    `select pg_relation_size('${table}')::text as table_bytes,
       (select sum(pg_total_relation_size(name::regclass)) from unnest('{${relations.join(',')}}'::text[]) name)::text
         as bytes,
       greatest(0, (select reltuples from pg_class where oid = '${table}'::regclass))::float8 as estimated_rows`,
  )
/** The tables with a row for each status, or some rows for each. */
const STATUS_TABLES = [
  'statuses',
  'status_stats',
  'mentions',
  'status_tags',
  'status_search_entries',
  'media_attachments',
]
const measureStatuses = sizeOf('statuses', STATUS_TABLES)
const measureNotifications = sizeOf('notifications')
const measureVersions = sizeOf('status_edits')

const countStatuses = statement<{ row: { count: number; all: number }; notNull: 'count' | 'all' }>(
  `select count(*) filter (where not local)::int as count, count(*)::int as "all" from statuses`,
)
// Reads only the statuses of local accounts, by their indexes.
const countLocalStatuses = statement<{ row: { count: number } }>(
  `select count(*)::int as count from accounts a join statuses s on s.account_id = a.id and s.deleted_at is null
   where a.domain is null`,
)
const countNotifications = statement<{ row: { count: number } }>(`select count(*)::int as count from notifications`)
const countVersions = statement<{ row: { count: number } }>(`select count(*)::int as count from status_edits`)
const measureCache = statement<{ row: { rows: number; bytes: string } }>(
  `select (select count(*)::int from cached_files where file_key is not null) as rows, byte_size::text as bytes
   from media_cache_size`,
)

/** Returns the rows and bytes of what is pruned, and of the cache of remote media. */
export async function measureRetentionSizes(read: Read): Promise<RetentionSize[]> {
  const [cache] = await measureCache(read.db)
  return [
    await measureRemoteStatuses(read),
    await measureTable(read, 'notifications', { measure: measureNotifications, count: countNotifications }),
    await measureTable(read, 'status_versions', { measure: measureVersions, count: countVersions }),
    { area: 'media_cache', rows: cache!.rows, bytes: Number(cache!.bytes), estimated: false },
  ]
}

async function measureRemoteStatuses(read: Read): Promise<RetentionSize> {
  const [size] = await measureStatuses(read.db)
  const estimated = Number(size!.table_bytes) > MAX_COUNTED_BYTES
  const { count, all } = estimated
    ? await estimateRemoteStatuses(read, size!.estimated_rows)
    : (await countStatuses(read.db))[0]!
  // The share of the remote statuses in all.
  const bytes = all === 0 ? 0 : Math.round((Number(size!.bytes) * count) / all)
  return { area: 'remote_statuses', rows: count, bytes, estimated }
}

async function estimateRemoteStatuses(read: Read, all: number): Promise<{ count: number; all: number }> {
  const [local] = await countLocalStatuses(read.db)
  return { count: Math.max(0, Math.round(all) - local!.count), all: Math.round(all) }
}

async function measureTable(
  read: Read,
  area: RetentionArea,
  {
    measure,
    count,
  }: {
    measure: (db: Read['db']) => Promise<TableSize[]>
    count: (db: Read['db']) => Promise<{ count: number }[]>
  },
): Promise<RetentionSize> {
  const [size] = await measure(read.db)
  const estimated = Number(size!.table_bytes) > MAX_COUNTED_BYTES
  const rows = estimated ? Math.round(size!.estimated_rows) : (await count(read.db))[0]!.count
  return { area, rows, bytes: Number(size!.bytes), estimated }
}

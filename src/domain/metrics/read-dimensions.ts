import { statement } from '../../platform/db/statement.ts'
import type { Read } from '../context.ts'
import { boundsOf, findUntallied, talliedSql } from './period.ts'
import type { Period, PeriodIds, PeriodTimes, UntalliedCounts } from './period.ts'
import { requireTag, taggedStatuses } from './tagged-statuses.ts'

/** A value of a dimension and what it counts. `key` null: this server, an unknown language or the web. */
interface DimensionRow {
  key: string | null
  value: string
}

type Times = Pick<PeriodTimes, 'start' | 'end'>
type Ids = Pick<PeriodIds, 'startId' | 'endId'>

const IN_IDS = 's.id >= $startId and s.id < $endId'
const TAGGED = taggedStatuses({ first: '$startId' })
const TAGGED_WITH_AUTHORS = taggedStatuses({ first: '$startId', withAuthors: true })
const RANKED = 'order by value desc, key limit $limit'

const selectLanguages = statement<{ params: Times & { limit: number }; row: { key: string; value: string } }>(
  `select locale as key, count(*) as value from users where last_seen_at >= $start and last_seen_at < $end
   group by locale ${RANKED}`,
)
const selectSources = statement<{ params: Times & { limit: number }; row: DimensionRow }>(
  `select app.name as key, count(*) as value from users u left join applications app on app.id = u.sign_up_application_id
   where u.created_at >= $start and u.created_at < $end group by app.name ${RANKED}`,
)
// Accounts have many statuses, so they are counted before the join.
const selectServers = statement<{
  params: Times & Pick<PeriodIds, 'startId' | 'endId'> & UntalliedCounts & { limit: number }
  row: DimensionRow
}>(
  `select nullif(domain, '') as key, sum(value)::bigint as value from (
     select coalesce(a.domain, '') as domain, author.statuses as value from (
       select s.account_id, count(*) as statuses from statuses s
       where s.deleted_at is null and s.id >= greatest($startId::bigint, $untalliedId::bigint) and s.id < $endId group by s.account_id
     ) author join accounts a on a.id = author.account_id
     union all select domain, value from daily_tallies where ${talliedSql('statuses', '$start')}
   ) counted group by domain ${RANKED}`,
)
const selectTagServers = statement<{ params: Ids & { tagId: string; limit: number }; row: DimensionRow }>(
  `select a.domain as key, count(*) as value from ${TAGGED_WITH_AUTHORS} group by a.domain ${RANKED}`,
)
const selectTagLanguages = statement<{ params: Ids & { tagId: string; limit: number }; row: DimensionRow }>(
  `select s.language as key, count(*) as value from ${TAGGED} group by s.language ${RANKED}`,
)
const selectInstanceAccounts = statement<{ params: { domain: string; limit: number }; row: DimensionRow }>(
  `select a.username as key, count(f.id) as value from accounts a left join follows f on f.target_account_id = a.id
   where a.domain = $domain group by a.id ${RANKED}`,
)
const selectInstanceLanguages = statement<{ params: Ids & { domain: string; limit: number }; row: DimensionRow }>(
  `select s.language as key, count(*) as value from statuses s join accounts a on a.id = s.account_id
   where a.domain = $domain and s.deleted_at is null and s.reblog_of_id is null and ${IN_IDS}
   group by s.language ${RANKED}`,
)
const selectSpaceUsage = statement<{ row: { key: string; value: string } }>(
  `select 'postgresql' as key, pg_database_size(current_database()) as value
   union all select 'media', (select coalesce(sum(byte_size), 0)::bigint from media_attachments where file_key is not null)
     + (select byte_size from media_cache_size)`,
)
const selectPostgresVersion = statement<{ row: { version: string } }>(
  `select split_part(current_setting('server_version'), ' ', 1) as version`,
)

type Params = PeriodTimes & PeriodIds & UntalliedCounts & { limit: number }

const SERVER_DIMENSIONS = {
  languages: ({ db }, params) => selectLanguages(db, params),
  sources: ({ db }, params) => selectSources(db, params),
  servers: ({ db }, params) => selectServers(db, params),
  space_usage: ({ db }) => selectSpaceUsage(db),
  software_versions: readVersions,
} satisfies Record<string, (read: Read, params: Params) => Promise<DimensionRow[]>>

const TAG_DIMENSIONS = { tag_servers: selectTagServers, tag_languages: selectTagLanguages }

const INSTANCE_DIMENSIONS = { instance_accounts: selectInstanceAccounts, instance_languages: selectInstanceLanguages }

type ServerDimensionKey = keyof typeof SERVER_DIMENSIONS
type TagDimensionKey = keyof typeof TAG_DIMENSIONS
type InstanceDimensionKey = keyof typeof INSTANCE_DIMENSIONS

export const SERVER_DIMENSION_KEYS = Object.keys(SERVER_DIMENSIONS) as ServerDimensionKey[]
export const TAG_DIMENSION_KEYS = Object.keys(TAG_DIMENSIONS) as TagDimensionKey[]
export const INSTANCE_DIMENSION_KEYS = Object.keys(INSTANCE_DIMENSIONS) as InstanceDimensionKey[]

/** A requested dimension: its key, and the hashtag or the server that it is about. */
export type DimensionRequest =
  | { key: ServerDimensionKey }
  | { key: TagDimensionKey; tagId: string }
  | { key: InstanceDimensionKey; domain: string }

export interface Dimension {
  key: DimensionRequest['key']
  rows: DimensionRow[]
}

/**
 * Reads dimensions, each with one statement, highest values first. `limit`: the maximum number of values of each.
 * Mastodon: POST /api/v1/admin/dimensions. @throws NotFoundError
 */
export async function readDimensions(
  read: Read,
  { requests, period, limit }: { requests: readonly DimensionRequest[]; period: Period; limit: number },
): Promise<Dimension[]> {
  const dimensions: Dimension[] = []
  if (requests.length === 0) return dimensions
  const params = { ...boundsOf(period), ...(await findUntallied(read)), limit }
  for (const request of requests) dimensions.push({ key: request.key, rows: await selectRows(read, request, params) })
  return dimensions
}

async function selectRows(read: Read, request: DimensionRequest, params: Params): Promise<DimensionRow[]> {
  if ('tagId' in request) {
    await requireTag(read, { id: request.tagId })
    return TAG_DIMENSIONS[request.key](read.db, { ...params, tagId: request.tagId })
  }
  if ('domain' in request) return INSTANCE_DIMENSIONS[request.key](read.db, { ...params, domain: request.domain })
  return SERVER_DIMENSIONS[request.key](read, params)
}

async function readVersions({ db, config }: Read): Promise<DimensionRow[]> {
  const [postgres] = await selectPostgresVersion(db)
  return [
    { key: 'linnet', value: config.version },
    { key: 'node', value: process.versions.node },
    { key: 'postgresql', value: postgres!.version },
  ]
}

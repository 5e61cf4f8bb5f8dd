import { Semaphore } from '../../../lib/async/semaphore.ts'
import { parseHandle } from '../../../lib/usernames.ts'
import { statement } from '../../../platform/db/statement.ts'
import { visibleTo } from '../../access/visibility.ts'
import type { Ctx } from '../../context.ts'
import type { ExportedFilter } from '../exports/export-filters.ts'
import type { ImportType, WaitingRow } from './import-formats.ts'

/** How many accounts or statuses one job requests from other servers at the same time, and how long each may take. */
const CONCURRENT_REQUESTS = 5
const TIMEOUT_MS = 10_000
/** If a request took this long and found nothing, the job sends its server no others. Less than all time limits. */
const SILENT_MS = 9_000

const findKnown = statement<{
  params: { usernames: readonly string[]; domains: readonly string[] }
  row: { key: string; id: string }
  notNull: 'key'
}>(
  `select named.username || '@' || named.domain as key, a.id
   from unnest($usernames::text[], $domains::text[]) as named (username, domain)
     join accounts a on lower(a.username) = named.username and coalesce(a.domain, '') = named.domain`,
)

const findKnownStatuses = statement<{
  params: { accountId: string; uris: readonly string[] }
  row: { uri: string; id: string }
}>(
  // The URI of a post of an archive names the imported post.
  `select distinct on (named.uri) named.uri, s.id
   from (
     select uri, status_id as id, 1 as position from imported_statuses
     where account_id = $accountId and uri = any($uris::text[])
     union all select uri, id, 2 from statuses where uri = any($uris::text[])
   ) named join statuses s on s.id = named.id
   where ${visibleTo('$accountId')} order by named.uri, named.position`,
)

/**
 * Finds what rows name, fetching unknown accounts and statuses from their servers. Returns the ids by the ids of the
 * rows: of the account or of the status; of the filtered statuses; none for a domain. Rows whose account or status was
 * not found are left out.
 */
export async function resolveRows(
  ctx: Ctx,
  { accountId, type, rows }: { accountId: string; type: ImportType; rows: readonly WaitingRow[] },
): Promise<Map<string, string[]>> {
  const named = rows.filter((row): row is WaitingRow & { key: string } => row.key !== null)
  if (type === 'domain_blocking') return new Map(named.map(({ id }) => [id, []]))
  if (type === 'filters') {
    const filters = named.map(({ id, cells }) => ({ id, uris: (JSON.parse(cells[0]!) as ExportedFilter).statuses }))
    const ids = await resolveStatuses(ctx, { accountId, uris: filters.flatMap(({ uris }) => uris) })
    // A filter also works without the statuses that do not exist any more.
    return new Map(filters.map(({ id, uris }) => [id, uris.flatMap((uri) => ids.get(uri) ?? [])]))
  }
  const keys = named.map(({ key }) => key)
  const ids =
    type === 'bookmarks'
      ? await resolveStatuses(ctx, { accountId, uris: keys })
      : await resolveAccounts(ctx, { handles: named.map(({ key, cells }) => handleOf(key, cells)) })
  return new Map(
    named.flatMap(({ id, key }) => {
      const targetId = ids.get(key)
      return targetId === undefined ? [] : [[id, [targetId]]]
    }),
  )
}

interface NamedAccount {
  key: string
  /** As in the file, since servers may distinguish upper and lower case. */
  username: string
  /** Empty: local. */
  domain: string
}

function handleOf(key: string, cells: readonly string[]): NamedAccount {
  const [lowerCase = '', domain = ''] = key.split('@')
  const written = cells.map(parseHandle).find((handle) => handle?.username.toLowerCase() === lowerCase)
  return { key, username: written?.username ?? lowerCase, domain }
}

async function resolveAccounts(
  ctx: Ctx,
  { handles: named }: { handles: readonly NamedAccount[] },
): Promise<Map<string, string>> {
  const handles = [...new Map(named.map((handle) => [handle.key, handle])).values()]
  const known = await findKnown(ctx.db, {
    usernames: handles.map(({ username }) => username.toLowerCase()),
    domains: handles.map(({ domain }) => domain),
  })
  const ids = new Map(known.map(({ key, id }) => [key, id]))
  const unknown = handles.filter(({ key, domain }) => domain !== '' && !ids.has(key))
  await requestAll(ctx, unknown, {
    hostOf: ({ domain }) => domain,
    request: async ({ key, username, domain }) => {
      const id = await ctx.remote.findAccount({ username, domain, timeoutMs: TIMEOUT_MS })
      if (id !== null) ids.set(key, id)
      return id !== null
    },
  })
  return ids
}

/** Returns the ids of the statuses with these URIs that the account may see, fetching unknown ones. */
export async function resolveStatuses(
  ctx: Ctx,
  { accountId, uris }: { accountId: string; uris: readonly string[] },
): Promise<Map<string, string>> {
  const distinct = [...new Set(uris)]
  const known = await findKnownStatuses(ctx.db, { accountId, uris: distinct })
  const ids = new Map(known.map(({ uri, id }) => [uri, id]))
  const unknown = distinct.filter((uri) => !ids.has(uri))
  await requestAll(ctx, unknown, {
    hostOf: (uri) => URL.parse(uri)?.host ?? uri,
    request: async (uri) => {
      const found = await ctx.remote.resolve({ uri, viewerId: accountId })
      if (found?.kind === 'status') ids.set(uri, found.id)
      return found !== null
    },
  })
  return ids
}

/**
 * Runs requests, a few at a time. `request` returns whether it has found something. Leaves out those to servers that do
 * not respond, each of which would take as long again. Throws the first error after all requests have ended.
 */
async function requestAll<Item>(
  ctx: Ctx,
  items: readonly Item[],
  { hostOf, request }: { hostOf(item: Item): string; request(item: Item): Promise<boolean> },
): Promise<void> {
  const limit = new Semaphore({ permits: CONCURRENT_REQUESTS })
  const silentHosts = new Set<string>()
  const requestOne = async (item: Item): Promise<void> => {
    const host = hostOf(item)
    if (silentHosts.has(host)) return
    const startedAt = ctx.now().getTime()
    const isFound = await request(item)
    if (!isFound && ctx.now().getTime() - startedAt >= SILENT_MS) silentHosts.add(host)
  }
  const results = await Promise.allSettled(items.map(async (item) => limit.run(async () => requestOne(item))))
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

import type { Read } from '../../domain/context.ts'
import { compileFilters } from '../../domain/filters/compile-filters.ts'
import type { CompiledFilters } from '../../domain/filters/compile-filters.ts'
import { normalizeTexts } from '../../domain/filters/normalize-text.ts'
import type { Filter, FilterResult } from '../../entities/accounts/filter.ts'
import { ByteLimitedCache } from '../../lib/memory/byte-limited-cache.ts'
import { constantJson, entityJson, listJson } from '../../lib/json/entity-json.ts'
import { jsonText } from '../../lib/json/json-content.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { htmlToPlainText } from '../../lib/html/html-to-plain-text.ts'
import { cacheLimitOf } from '../../platform/cache-limit.ts'
import type { Config } from '../../platform/config/config.ts'
import { statement } from '../../platform/db/statement.ts'
import { loadFiltersOfAccounts } from './load-filters.ts'
import type { FilterRow } from './load-filters.ts'
import { filterOf } from './render-filters.ts'

/** All filters of an account at one version. */
interface AccountFilters {
  compiled: CompiledFilters
  json: EntityJson<Filter>[]
  /** What each filter does, as its contexts, each with its action. */
  effects: string[][]
}

/** The maximum number of results for one status, so that a thousand similar filters do not make pages of megabytes. */
const MAX_RESULTS = 100

/** Filters by account and version, and normalised texts by status and version. */
interface Caches {
  filters: ByteLimitedCache<AccountFilters>
  texts: ByteLimitedCache<string>
}

const cachesByConfig = new WeakMap<Config, Caches>()

/** The viewers who have filters, and the time that decides which filters have expired. */
export interface FilteringViewers {
  /** Milliseconds since 1970, by the clock of the database. */
  at: number
  /** Account id → the version of their filters. */
  versions: Record<string, number>
}

/** A status to be matched. `accountId`: its author. */
export interface FilteredStatus {
  id: string
  version: number
  accountId: string
}

/** Returns the filters of a viewer that match a status. */
export type FilterMatcher = (viewerId: string, status: FilteredStatus) => EntityJson<FilterResult[]>

const NO_RESULTS = constantJson<FilterResult[]>([])

/**
 * Returns an SQL expression with the `FilteringViewers` among the accounts that `viewers` selects (`= $viewerId`); null
 * for none.
 */
export function filteringViewers(viewers: string): string {
  return `(select jsonb_build_object('at', (extract(epoch from now()) * 1000)::bigint,
       'versions', jsonb_object_agg(u.account_id, u.filters_version))
     from users u where u.account_id ${viewers} and u.filters_version > 0 having count(*) > 0)`
}

/**
 * Loads what is needed to match statuses against the filters of viewers: nothing without filters, otherwise only what
 * is not cached. Results contain filters of all contexts and actions, because the client decides where they apply.
 * Filters never match a viewer's own statuses.
 */
export async function prepareFilterMatcher(
  read: Read,
  { viewers, statuses }: { viewers: FilteringViewers | null; statuses: readonly FilteredStatus[] },
): Promise<FilterMatcher> {
  if (viewers === null) return () => NO_RESULTS
  const caches = cachesOf(read.config)
  const [found, texts] = await Promise.all([
    findFilters(read, { viewers, cache: caches.filters }),
    findTexts(read, { statuses, cache: caches.texts }),
  ])
  const at = new Date(viewers.at)
  return (viewerId, { id, accountId }) => {
    const filters = found.get(viewerId)
    const text = texts.get(id)
    if (!filters || filters.json.length === 0 || viewerId === accountId || text === undefined) return NO_RESULTS
    const matches = filters.compiled.match({ id, text, at })
    if (matches.length === 0) return NO_RESULTS
    return listJson(
      selectMatches(matches, filters).map(({ index, keyword, byStatus }) =>
        entityJson<FilterResult>({
          filter: filters.json[index]!,
          keyword_matches: keyword === null ? null : [keyword],
          status_matches: byStatus ? [id] : null,
        }),
      ),
    )
  }
}

/**
 * Returns at most `MAX_RESULTS` matches, in their order. They include a filter for each context and action that the
 * others have, so that the status is shown as if all of them were returned.
 */
function selectMatches<Match extends { index: number }>(matches: Match[], { effects }: AccountFilters): Match[] {
  if (matches.length <= MAX_RESULTS) return matches
  const seen = new Set<string>()
  const needed = matches.filter(({ index }) => {
    const added = effects[index]!.filter((effect) => !seen.has(effect))
    for (const effect of added) seen.add(effect)
    return added.length > 0
  })
  const kept = new Set([...new Set([...needed, ...matches])].slice(0, MAX_RESULTS))
  return matches.filter((match) => kept.has(match))
}

async function findFilters(
  read: Read,
  { viewers, cache }: { viewers: FilteringViewers; cache: ByteLimitedCache<AccountFilters> },
): Promise<Map<string, AccountFilters>> {
  const found = new Map<string, AccountFilters>()
  const missing: string[] = []
  for (const [accountId, version] of Object.entries(viewers.versions)) {
    const filters = cache.get(`${accountId}.${version}`)
    if (filters) found.set(accountId, filters)
    else missing.push(accountId)
  }
  for (const { accountId, version, filters: rows } of await loadFiltersOfAccounts(read, { accountIds: missing })) {
    const filters = compile(rows)
    found.set(accountId, filters)
    const characters = filters.json.reduce((sum, json) => sum + jsonText(json).length, 0)
    cache.set(`${accountId}.${version}`, filters, filters.compiled.bytes + 2 * characters)
  }
  return found
}

function compile(rows: readonly FilterRow[]): AccountFilters {
  const rules = rows.map(({ expires_at: expiresAt, keywords, statuses }) => ({
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    keywords: keywords ?? [],
    statusIds: (statuses ?? []).map(({ status_id: id }) => id),
  }))
  return {
    compiled: compileFilters(rules),
    json: rows.map((row) => entityJson<Filter>(filterOf(row))),
    effects: rows.map(({ contexts, action }) => contexts.map((context) => `${context} ${action}`)),
  }
}

interface TextRow {
  id: string
  version: number
  spoiler_text: string
  content: string
  poll_options: string[] | null
  descriptions: string[]
}

const selectTexts = statement<{ params: { missingIds: readonly string[] }; row: TextRow }>(
  `select s.id, s.version, s.spoiler_text, s.content,
     (select p.options from polls p where p.status_id = s.id) as poll_options,
     array(select coalesce(m.description, '') from media_attachments m
       where m.status_id = s.id and m.withdrawn_at is null order by m.position, m.id) as descriptions
   from statuses s where s.id = any($missingIds::bigint[])`,
)

/** Returns normalised texts of statuses by their ids: content warning, content, poll options, media descriptions. */
async function findTexts(
  read: Read,
  { statuses, cache }: { statuses: readonly FilteredStatus[]; cache: ByteLimitedCache<string> },
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const missing: string[] = []
  for (const { id, version } of statuses) {
    const text = cache.get(`${id}.${version}`)
    if (text === undefined) missing.push(id)
    else found.set(id, text)
  }
  if (missing.length === 0) return found
  for (const row of await selectTexts(read.db, { missingIds: missing })) {
    const { id, version, spoiler_text: warning, content } = row
    const text = normalizeTexts([warning, htmlToPlainText(content), ...(row.poll_options ?? []), ...row.descriptions])
    found.set(id, text)
    cache.set(`${id}.${version}`, text, text.length * 2)
  }
  return found
}

function cachesOf(config: Config): Caches {
  let caches = cachesByConfig.get(config)
  if (!caches) {
    caches = {
      filters: new ByteLimitedCache({ limit: cacheLimitOf(config) }),
      texts: new ByteLimitedCache({ limit: cacheLimitOf(config) }),
    }
    cachesByConfig.set(config, caches)
  }
  return caches
}

import type { Read } from '../domain/context.ts'
import { compileFilters } from '../domain/filters/compile.ts'
import type { CompiledFilters } from '../domain/filters/compile.ts'
import { markTexts } from '../domain/filters/mark-words.ts'
import type { FilterResult } from '../entities/filter.ts'
import type { Status } from '../entities/status.ts'
import { ByteCache } from '../lib/byte-cache.ts'
import { jsonArray, jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { plainText } from '../lib/text/plainText.ts'
import type { Config } from '../platform/config.ts'
import { presentFilter } from './filters.ts'
import { loadFiltersOfMany } from './load-filters.ts'
import type { FilterFacts } from './load-filters.ts'

/** How much memory people's filters, and the texts that they are held against, may each take in one process. */
const FILTERS_BYTES = 24 * 1024 * 1024
const TEXTS_BYTES = 16 * 1024 * 1024

/** The filters of one person, as they were at a version. */
interface Filters {
  compiled: CompiledFilters
  /** What is shown of each. */
  shown: Json<FilterResult['filter']>[]
}

/** What is kept: the filters by account and version, and the marked texts by status and version. */
interface Kept {
  filters: ByteCache<Filters>
  texts: ByteCache<string>
}

const kept = new WeakMap<Config, Kept>()

/** Those of the viewers who have filters, and the moment that decides which have expired. */
export interface FilteringViewers {
  /** Milliseconds since 1970, by the database's clock. */
  at: number
  /** Account id → the version of their filters. */
  versions: Record<string, number>
}

/** What must be known of a status. */
interface Filterable {
  id: string
  version: number
  /** The author. */
  accountId: string
  /** What everybody sees of it: JSON in UTF-8, without the closing brace. */
  body: Buffer
  pollOptions: readonly string[]
}

/** What the viewer's filters say of a status. */
export type FilterResults = (viewerId: string, status: Filterable) => Json<FilterResult[]>

const NO_RESULTS = '[]' as Json<FilterResult[]>

/** A column with the `FilteringViewers` among the accounts that `viewers` selects (`= $2`); null when there is none. */
export function filteringViewers(viewers: string): string {
  return `(select jsonb_build_object('at', (extract(epoch from now()) * 1000)::bigint,
       'versions', jsonb_object_agg(u.account_id, u.filters_version))
     from users u where u.account_id ${viewers} and u.filters_version > 0 having count(*) > 0)`
}

/**
 * Gets the filters of some viewers ready: none cost nothing, and those not known yet one statement. Every filter that
 * a status runs into is told, whatever its contexts and its action: which of them count where, clients decide. One's
 * own posts run into none.
 */
export async function prepareFilterResults(
  read: Read,
  { viewers }: { viewers: FilteringViewers | null },
): Promise<FilterResults> {
  if (viewers === null) return () => NO_RESULTS
  const { filters: cache, texts } = keptOf(read.config)
  const found = await findFilters(read, { viewers, cache })
  const at = new Date(viewers.at)
  return (viewerId, status) => {
    const filters = found.get(viewerId)
    const { id, accountId } = status
    if (!filters || filters.shown.length === 0 || viewerId === accountId) return NO_RESULTS
    const matches = filters.compiled.match({ id, text: textOf({ ...status, texts }), at })
    return jsonArray(
      matches.map(({ place, keyword, byStatus }) =>
        jsonObject<FilterResult>({
          filter: filters.shown[place]!,
          keyword_matches: toJson(keyword === null ? null : [keyword]),
          status_matches: toJson(byStatus ? [id] : null),
        }),
      ),
    )
  }
}

async function findFilters(
  read: Read,
  { viewers, cache }: { viewers: FilteringViewers; cache: ByteCache<Filters> },
): Promise<Map<string, Filters>> {
  const found = new Map<string, Filters>()
  const missing: string[] = []
  for (const [accountId, version] of Object.entries(viewers.versions)) {
    const filters = cache.get(`${accountId}.${version}`)
    if (filters) found.set(accountId, filters)
    else missing.push(accountId)
  }
  for (const { accountId, version, filters: facts } of await loadFiltersOfMany(read, { accountIds: missing })) {
    const filters = prepare(facts)
    found.set(accountId, filters)
    cache.set(`${accountId}.${version}`, filters, filters.compiled.bytes + 2 * filters.shown.join('').length)
  }
  return found
}

function prepare(facts: readonly FilterFacts[]): Filters {
  const rules = facts.map(({ expires_at: expiresAt, keywords, statuses }) => ({
    expiresAt: expiresAt === null ? null : new Date(expiresAt),
    keywords: keywords ?? [],
    statusIds: (statuses ?? []).map(({ status_id: id }) => id),
  }))
  return { compiled: compileFilters(rules), shown: facts.map((filter) => toJson(presentFilter(filter))) }
}

/** All that filters read of a status, marked. It is taken from the kept rendering, so it costs no statement. */
function textOf({ id, version, body, pollOptions, texts }: Filterable & { texts: ByteCache<string> }): string {
  const key = `${id}.${version}`
  const known = texts.get(key)
  if (known !== undefined) return known
  const { spoiler_text, content, media_attachments } = JSON.parse(`${body.toString()}}`) as Status
  const described = media_attachments.map(({ description }) => description ?? '')
  const text = markTexts([spoiler_text, plainText(content ?? ''), ...pollOptions, ...described])
  texts.set(key, text, text.length * 2)
  return text
}

function keptOf(config: Config): Kept {
  let caches = kept.get(config)
  if (!caches) {
    const filters = new ByteCache<Filters>({ maxBytes: FILTERS_BYTES })
    kept.set(config, (caches = { filters, texts: new ByteCache({ maxBytes: TEXTS_BYTES }) }))
  }
  return caches
}

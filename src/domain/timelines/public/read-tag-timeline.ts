import type { Page } from '../../../lib/page.ts'
import { normalizeHashtag } from '../../../lib/text/entities/normalize-hashtag.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { visibleTo } from '../../access/visibility.ts'
import { findDensities } from './compare-densities.ts'
import { MEDIA_ORIGIN, ORIGIN, isNotHiddenFrom } from './read-public-timeline.ts'
import type { Origin } from './read-public-timeline.ts'
import { keysetClause, pageParameters, readKeysetPage } from '../../core/keyset-page.ts'
import type { PageParameters } from '../../core/keyset-page.ts'

/**
 * The maximum number of hashtags in each of `any`, `all` and `none`; the rest is ignored. The hashtag of the timeline
 * is the first one of `any`.
 */
const MAX_TAGS = 4

const keyset = keysetClause('st.status_id')

// Uncorrelated subqueries, which PostgreSQL evaluates once and not for each status.
const REQUIRED_TAGS = 'array(select id from tags where name = any($allOf::text[]))'
const ALTERNATIVE_TAGS = 'array(select id from tags where name = any($anyOf::text[]))'
const EXCLUDED_TAGS = 'array(select id from tags where name = any($noneOf::text[]))'

/**
 * The statuses of a hashtag. A page of media reads only the statuses that have media, since those of some hashtags
 * hardly ever do. `limit` and `offset 0` make PostgreSQL search for media first, in the order of the hashtag's statuses.
 */
const STATUSES = 'status_tags st join statuses s on s.id = st.status_id'
const statusesWithMedia = (origin: Origin) => `status_tags st
  cross join lateral (select from media_attachments m
    where m.status_id = st.status_id and m.withdrawn_at is null ${MEDIA_ORIGIN[origin]} limit 1) media
  cross join lateral (select * from statuses where id = st.status_id offset 0) s`

/** SQL condition for each origin. The status itself decides while a row is not marked. */
const TAG_ORIGIN = { all: '', local: 'and st.local is not false', remote: 'and st.local is not true' } as const

// Reads one page of each hashtag by the index, and then takes the requested page from all of them. So frequently used
// hashtags are not slower.
function timelineStatement(statuses: string, origin: Origin, direction: 'descending' | 'ascending') {
  return statement<{
    params: {
      viewerId: string | null
      names: readonly string[]
      anyOf: readonly string[]
      allOf: readonly string[]
      noneOf: readonly string[]
    } & PageParameters
    row: { id: string }
  }>(
    `select found.id from (select id from tags where name = any($names::text[])) tag cross join lateral (
       select st.status_id as id from ${statuses}
       where st.tag_id = tag.id and ${keyset.where} ${TAG_ORIGIN[origin]}
         and s.visibility = 'public' and s.reblog_of_id is null ${ORIGIN[origin]}
         and not exists (
           select from accounts limited where limited.id = s.account_id and limited.silenced_at is not null)
         and ${visibleTo('$viewerId')} and ${isNotHiddenFrom('$viewerId')}
         and cardinality($allOf::text[]) = cardinality(${REQUIRED_TAGS})
         and (cardinality($allOf::text[]) = 0 or cardinality($allOf::text[]) = (
           select count(*) from status_tags other where other.status_id = st.status_id and other.tag_id = any(${REQUIRED_TAGS})))
         and (cardinality($anyOf::text[]) = 0 or exists (
           select from status_tags other where other.status_id = st.status_id and other.tag_id = any(${ALTERNATIVE_TAGS})))
         and (cardinality($noneOf::text[]) = 0 or not exists (
           select from status_tags other where other.status_id = st.status_id and other.tag_id = any(${EXCLUDED_TAGS})))
       ${keyset[direction]}
     ) found
     group by found.id order by found.id ${direction === 'descending' ? 'desc' : 'asc'} limit $limit`,
  )
}

const statementsOf = (statuses: string, origin: Origin) => ({
  descending: timelineStatement(statuses, origin, 'descending'),
  ascending: timelineStatement(statuses, origin, 'ascending'),
})
const statements = {
  all: statementsOf(STATUSES, 'all'),
  local: statementsOf(STATUSES, 'local'),
  remote: statementsOf(STATUSES, 'remote'),
}
const mediaStatements = {
  all: statementsOf(statusesWithMedia('all'), 'all'),
  local: statementsOf(statusesWithMedia('local'), 'local'),
  remote: statementsOf(statusesWithMedia('remote'), 'remote'),
}

export interface TagTimelineInput {
  viewerId: string | null
  page: Page
  /** The hashtag of the timeline, as the client sent it: with or without `#`. */
  name: string
  /** Includes statuses with any of these hashtags, too. */
  any?: readonly string[]
  /** Requires all of these hashtags. */
  all?: readonly string[]
  /** Excludes statuses with any of these hashtags. */
  none?: readonly string[]
  origin?: Origin
  onlyMedia?: boolean
}

/**
 * Returns a page of the public statuses with a hashtag, replies included, for the viewer: ids, newest first (Mastodon:
 * GET /api/v1/timelines/tag/:hashtag).
 */
export async function readTagTimeline(read: Read, input: TagTimelineInput): Promise<string[]> {
  const { descending, ascending } = (input.onlyMedia ? mediaStatements : statements)[input.origin ?? 'all']
  const combination = await chooseTags(read, {
    names: normalizedNames([input.name, ...(input.any ?? [])]),
    // An invalid name becomes '', which no hashtag has, so the page is empty.
    allOf: [...new Set(nonBlankNames(input.all).map((typed) => normalizeHashtag(typed) ?? ''))],
  })
  if (combination === null) return []
  const values = {
    viewerId: input.viewerId,
    ...pageParameters(input.page),
    ...combination,
    noneOf: normalizedNames(input.none),
  }
  const rows = await readKeysetPage(input.page, {
    descending: () => descending(read.db, values),
    ascending: () => ascending(read.db, values),
  })
  return rows.map((row) => row.id)
}

/** The statuses to read: those with a hashtag of `names`, if given one of `anyOf`, and all of `allOf`. */
interface Combination {
  names: readonly string[]
  anyOf: readonly string[]
  allOf: readonly string[]
}

/**
 * Chooses the statuses that are read, if several hashtags are required: those of the rarest one. Returns null if one of
 * the required hashtags does not exist.
 */
async function chooseTags(
  read: Read,
  { names, allOf }: { names: readonly string[]; allOf: readonly string[] },
): Promise<Combination | null> {
  if (allOf.length === 0) return { names, anyOf: [], allOf }
  const densities = await findDensities(read, { names: [...new Set([...names, ...allOf])] })
  let rarest: string | null = null
  let lowest = names.reduce((highest, name) => maxOf(highest, densities.get(name) ?? 0n), 0n)
  for (const name of allOf) {
    const density = densities.get(name)
    if (density === undefined) return null
    if (density < lowest) [rarest, lowest] = [name, density]
  }
  if (rarest === null) return { names, anyOf: [], allOf }
  return { names: [rarest], anyOf: names, allOf: allOf.filter((name) => name !== rarest) }
}

const maxOf = (a: bigint, b: bigint) => (a > b ? a : b)

/** Returns the first `MAX_TAGS` names that are not blank. */
function nonBlankNames(names: readonly string[] = []): string[] {
  return names.filter((one) => one.trim() !== '').slice(0, MAX_TAGS)
}

function normalizedNames(inputs?: readonly string[]): string[] {
  const names = nonBlankNames(inputs).map(normalizeHashtag)
  return names.filter((name) => name !== null)
}

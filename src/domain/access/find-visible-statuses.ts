import { statement } from '../../platform/db/statement.ts'
import { ViewerCache } from '../../platform/db/viewer-cache.ts'
import type { CachedRead } from '../context.ts'
import { cacheAuthorRelations, IMAGINARY_STATUS, relationColumns } from './author-relations.ts'
import type { AuthorRelationsRow } from './author-relations.ts'
import { batchLookups } from './batch-lookups.ts'
import { findStatusOutlines } from './status-outlines.ts'
import type { StatusKind, StatusOutline } from './status-outlines.ts'
import { visibleTo } from './visibility.ts'

interface VisibilityInput {
  ids: readonly string[]
  /** null for anonymous. */
  viewerId: string | null
}

interface VisibleKindRow extends AuthorRelationsRow {
  key: string
}

/**
 * Returns a function that filters ids of statuses by visibility to a viewer and by `condition`, which returns SQL over
 * the alias `s` of `statuses` for a viewer. The condition may depend on the authors of the status and of the one that
 * it reblogs, and on the follows, mutes and blocks of the viewer, and on blocks of the viewer by others.
 *
 * Both depend on the status itself only by its author and visibility, except that further statuses are visible to the
 * accounts that they mention. So one result holds for all statuses of a kind: it is that of an imaginary status of the
 * kind, which mentions nobody. Local-only statuses, and those of kinds that are hidden, are checked separately. Only
 * visible kinds and statuses are cached, because a mute may expire at any time. Concurrent requests share a statement.
 */
export function createVisibilityFilter(
  condition: (viewer: string) => string = () => 'true',
): (read: CachedRead, input: VisibilityInput) => Promise<string[]> {
  const findVisibleKinds = createKindFilter(condition)
  const findVisibleExceptions = createStatusFilter(condition)
  return async (read, { ids, viewerId }) => {
    if (ids.length === 0) return []
    const outlines = await findStatusOutlines(read, { ids })
    const kinds = outlines.flatMap((outline) => outline?.kinds ?? NO_KINDS)
    const visibleKinds = await findVisibleKinds(read, { kinds, viewerId })
    let next = 0
    const takeNext = (count: number) => visibleKinds.slice(next, (next += count))
    const visible = new Set<string>()
    const exceptions = new Map<string, StatusOutline>()
    for (const outline of outlines) {
      if (outline === undefined) continue
      const { length } = outline.kinds
      if (length > 0 && takeNext(length).every((kind) => kind !== undefined)) visible.add(outline.id)
      else exceptions.set(outline.id, outline)
    }
    for (const id of await findVisibleExceptions(read, { exceptions, viewerId })) visible.add(id)
    return ids.filter((id) => visible.has(id))
  }
}

const NO_KINDS: readonly StatusKind[] = []

/** Returns the statuses that the viewer may see, in the given order. */
export const filterVisibleStatuses = createVisibilityFilter()

/**
 * Returns a function that returns these kinds in their order, and undefined for those of which an imaginary status is
 * hidden from the viewer.
 */
function createKindFilter(condition: (viewer: string) => string) {
  const select = statement<{
    params: {
      places: readonly number[]
      viewerIds: readonly (string | null)[]
      authors: readonly string[]
      visibilities: readonly string[]
    }
    row: VisibleKindRow
  }>(
    `select requested.place, requested.author, requested.author || ' ' || requested.visibility as key, ${relationColumns('requested.viewer')}
     from unnest($places::integer[], $viewerIds::bigint[], $authors::bigint[], $visibilities::text[])
         requested (place, viewer, author, visibility),
       lateral (select ${IMAGINARY_STATUS}, requested.visibility) s
     where ${visibleTo('requested.viewer')} and ${condition('requested.viewer')}`,
  )
  const findRows = batchLookups<string | null, StatusKind, VisibleKindRow>(async (db, requested) =>
    select(db, {
      places: requested.map(({ place }) => place),
      viewerIds: requested.map(({ viewerId }) => viewerId),
      authors: requested.map(({ subject }) => subject.author),
      visibilities: requested.map(({ subject }) => subject.visibility),
    }),
  )
  const cache = new ViewerCache<StatusKind>({
    valueBytes: 0,
    isInvalidated: (invalidations, { value, since }) => invalidations.isInvalidated('account', value.author, since),
  })
  return async (
    { db, invalidations }: CachedRead,
    { kinds, viewerId }: { kinds: readonly StatusKind[]; viewerId: string | null },
  ): Promise<(StatusKind | undefined)[]> => {
    const load = async (missingKeys: string[]) => {
      const since = invalidations.epoch
      const kindsByKey = new Map(kinds.map((kind) => [kind.key, kind]))
      const rows = await findRows(db, { viewerId, subjects: missingKeys.map((key) => kindsByKey.get(key)!) })
      if (viewerId !== null) cacheAuthorRelations({ invalidations }, { viewerId, rows, since })
      return rows.map(({ key }) => [key, kindsByKey.get(key)!] as const)
    }
    return cache.find(invalidations, { viewerId, keys: kinds.map(({ key }) => key), load })
  }
}

/** Returns a function that finds which of the statuses themselves are visible to a viewer. */
function createStatusFilter(condition: (viewer: string) => string) {
  const select = statement<{
    params: { places: readonly number[]; viewerIds: readonly (string | null)[]; statusIds: readonly string[] }
    row: { place: number; id: string }
  }>(
    `select requested.place, s.id
     from unnest($places::integer[], $viewerIds::bigint[], $statusIds::bigint[]) requested (place, viewer, status_id)
       join statuses s on s.id = requested.status_id
     where ${visibleTo('requested.viewer')} and ${condition('requested.viewer')}`,
  )
  const findRows = batchLookups<string | null, string, { place: number; id: string }>(async (db, requested) =>
    select(db, {
      places: requested.map(({ place }) => place),
      viewerIds: requested.map(({ viewerId }) => viewerId),
      statusIds: requested.map(({ subject }) => subject),
    }),
  )
  const cache = new ViewerCache<StatusOutline>({
    valueBytes: 0,
    isInvalidated: (invalidations, { value: { id, author, original }, since }) =>
      [id, original?.id].some((one) => one && invalidations.isInvalidated('status', one, since)) ||
      [author, original?.author].some((one) => one && invalidations.isInvalidated('account', one, since)),
  })
  return async (
    { db, invalidations }: CachedRead,
    { exceptions, viewerId }: { exceptions: ReadonlyMap<string, StatusOutline>; viewerId: string | null },
  ): Promise<string[]> => {
    if (exceptions.size === 0) return []
    const load = async (missing: string[]) => {
      const visible = await findRows(db, { viewerId, subjects: missing })
      return visible.map(({ id }) => [id, exceptions.get(id)!] as const)
    }
    const found = await cache.find(invalidations, { viewerId, keys: exceptions.keys(), load })
    return found.flatMap((outline) => outline?.id ?? [])
  }
}

import { shareEqual } from '../../lib/memory/share-equal.ts'
import type { Epoch } from '../../platform/db/invalidations.ts'
import { statement } from '../../platform/db/statement.ts'
import { ViewerCache } from '../../platform/db/viewer-cache.ts'
import type { CachedRead } from '../context.ts'
import { batchLookups } from './batch-lookups.ts'
import { quoterRelations } from './quoter-relations.ts'
import type { QuoterRelations } from './quoter-relations.ts'

/**
 * The column definitions of an imaginary status of `requested.author` whose quote policy needs all relations. The relations
 * to its author, and whether it is visible, hold for all statuses of its kind.
 */
export const IMAGINARY_STATUS = `0::bigint as id, requested.author as account_id, null::bigint as reblog_of_id,
  null::timestamptz as deleted_at, false as local, false as local_only,
  array['followers', 'following'] as quote_automatic, '{}'::text[] as quote_manual`

/** Returns the columns of `QuoterRelations` from an imaginary status `s`. `viewer`: SQL for the account id. */
export function relationColumns(viewer: string): string {
  return Object.entries(quoterRelations('s'))
    .map(([name, rows]) => `exists (select from ${rows} and d.account_id = ${viewer} offset 0) as ${name}`)
    .join(', ')
}

export interface AuthorRelationsRow extends QuoterRelations {
  /** The position of the request. */
  place: number
  author: string
}

const select = statement<{
  params: { places: readonly number[]; viewerIds: readonly string[]; authorIds: readonly string[] }
  row: AuthorRelationsRow
}>(
  `select requested.place, requested.author, ${relationColumns('requested.viewer')}
   from unnest($places::integer[], $viewerIds::bigint[], $authorIds::bigint[]) requested (place, viewer, author),
     lateral (select ${IMAGINARY_STATUS}) s`,
)

const findRows = batchLookups<string, string, AuthorRelationsRow>(async (db, requested) =>
  select(db, {
    places: requested.map(({ place }) => place),
    viewerIds: requested.map(({ viewerId }) => viewerId),
    authorIds: requested.map(({ subject }) => subject),
  }),
)

/** Changes of follows and blocks are invalidations of the viewer. */
const cache = new ViewerCache<QuoterRelations>({ valueBytes: 0, isInvalidated: () => false })

/** The entries of all viewers and authors refer to one of these eight values. */
const share = shareEqual<QuoterRelations>({ max: 8, keyOf: (relations) => Object.values(relations).join(' ') })

const keyedRelations = (rows: readonly AuthorRelationsRow[]) =>
  rows.map(
    ({ author, follows_author, followed_by_author, is_blocked }) =>
      [author, share({ follows_author, followed_by_author, is_blocked })] as const,
  )

/** Returns the relations of the viewer to each of these authors, in their order. */
export async function findAuthorRelations(
  { db, invalidations }: CachedRead,
  { viewerId, authorIds }: { viewerId: string; authorIds: readonly string[] },
): Promise<(QuoterRelations | undefined)[]> {
  const load = async (missing: string[]) => keyedRelations(await findRows(db, { viewerId, subjects: missing }))
  return cache.find(invalidations, { viewerId, keys: authorIds, load })
}

/** Caches relations that were read with something else. `since`: the epoch before they were read. */
export function cacheAuthorRelations(
  { invalidations }: Pick<CachedRead, 'invalidations'>,
  { viewerId, rows, since }: { viewerId: string; rows: readonly AuthorRelationsRow[]; since: Epoch },
): void {
  cache.set(invalidations, { viewerId, values: keyedRelations(rows), since })
}

import type { Page } from '../../../lib/page.ts'
import type { Read } from '../../context.ts'
import { blocksDomainOfId } from '../../access/user-domain-blocks.ts'
import { isRootOrSelfReply } from '../../access/is-root-or-self-reply.ts'
import { ANONYMOUS, visibleTo } from '../../access/visibility.ts'
import { keysetBatchReader, readKeysetBatches } from '../../core/keyset-batches.ts'

/** SQL condition: the status is public, no reblog and no reply to others. It is that of the indexes. */
const INDEXED = `s.visibility = 'public' and s.reblog_of_id is null and s.deleted_at is null and ${isRootOrSelfReply()}`

const IS_OF_UNLIMITED_ACCOUNT =
  'not exists (select from accounts limited where limited.id = s.account_id and limited.silenced_at is not null)'

/** SQL condition: public timelines contain the status: no reblogs, no replies to others, no limited accounts. */
export const IN_PUBLIC_TIMELINE = `${INDEXED} and ${IS_OF_UNLIMITED_ACCOUNT}`

/** SQL condition: no block, mute or domain block of the viewer hides the status. `viewer`: a parameter or column. */
export function isNotHiddenFrom(viewer: string): string {
  return `(${viewer}::bigint is null or (
  not exists (select from blocks b where b.account_id = ${viewer} and b.target_account_id = s.account_id)
  and not exists (select from mutes m where m.account_id = ${viewer} and m.target_account_id = s.account_id
    and (m.expires_at is null or m.expires_at > now()))
  and (s.local or not ${blocksDomainOfId(viewer, 's.account_id')})))`
}

/**
 * SQL condition: the viewer has chosen the language of the status `s`, or its base language, or no languages at all, or
 * the status has no language. `viewer`: a parameter or column.
 */
export function isInChosenLanguage(viewer: string): string {
  const chosen = `(select nullif(u.chosen_languages, '{}') from users u where u.account_id = ${viewer})`
  return `(s.language is null or coalesce(array[s.language, split_part(s.language, '-', 1)] && ${chosen}, true))`
}

/** SQL condition: the status `s` has media attachments. */
export const HAS_MEDIA =
  'exists (select from media_attachments ma where ma.status_id = s.id and ma.withdrawn_at is null)'

/** The SQL condition on the status `s` for each origin. */
export const ORIGIN = { all: '', local: 'and s.local', remote: 'and not s.local' } as const

/** The servers whose statuses a timeline contains. */
export type Origin = keyof typeof ORIGIN

/** The parameters of the keyset query. */
interface PublicTimelineQuery {
  viewer: string | null
}

/**
 * The SQL condition on the media attachment `m` for each origin. A page of statuses with media reads the first
 * attachment of each, because it would read most statuses of a server on which few have media.
 */
export const MEDIA_ORIGIN = {
  all: '',
  local: 'and m.remote_url is null',
  remote: 'and m.remote_url is not null',
} as const

type Variant = { origin: Origin; onlyMedia: boolean; isAnonymous: boolean }

function batchReaderFor({ origin, onlyMedia, isAnonymous }: Variant) {
  const viewer = isAnonymous ? ANONYMOUS : 'requested.viewer'
  const forViewer = isAnonymous
    ? 'requested.viewer is null'
    : `${isNotHiddenFrom(viewer)} and ${isInChosenLanguage(viewer)}`
  const indexed = `${INDEXED} ${ORIGIN[origin]}`
  const filter = `${IS_OF_UNLIMITED_ACCOUNT} and ${visibleTo(viewer)} and ${forViewer}`
  const columns = { viewer: 'bigint' } as const
  return onlyMedia
    ? keysetBatchReader<PublicTimelineQuery>({
        columns,
        table: 'media_attachments',
        alias: 'm',
        where: `m.status_id is not null and m.withdrawn_at is null ${MEDIA_ORIGIN[origin]} and not exists (
          select from media_attachments earlier
          where earlier.status_id = m.status_id and earlier.id < m.id and earlier.withdrawn_at is null)`,
        id: 'status_id',
        filter: `exists (select from statuses s where s.id = m.status_id and ${indexed} and ${filter})`,
      })
    : keysetBatchReader<PublicTimelineQuery>({
        columns,
        table: 'statuses',
        alias: 's',
        where: indexed,
        id: 'id',
        filter,
      })
}

// One SQL text for each variant, because the planner cannot use a partial index for a condition that is a parameter.
const readers = new Map(
  (['all', 'local', 'remote'] as const).flatMap((origin) =>
    [true, false].flatMap((onlyMedia) =>
      [true, false].map((isAnonymous) => [
        `${origin}.${onlyMedia}.${isAnonymous}`,
        batchReaderFor({ origin, onlyMedia, isAnonymous }),
      ]),
    ),
  ),
)

/**
 * Returns a page of the public timeline for the viewer (null = anonymous): ids, newest first (Mastodon: GET
 * /api/v1/timelines/public).
 */
export async function readPublicTimeline(
  read: Read,
  {
    viewerId,
    page,
    origin = 'all',
    onlyMedia = false,
  }: { viewerId: string | null; page: Page; origin?: Origin; onlyMedia?: boolean },
): Promise<string[]> {
  return readKeysetBatches(read.db, {
    reader: readers.get(`${origin}.${onlyMedia}.${viewerId === null}`)!,
    query: { viewer: viewerId },
    page,
    idOf: (id) => id,
    filterRows: (ids) => ids,
  })
}

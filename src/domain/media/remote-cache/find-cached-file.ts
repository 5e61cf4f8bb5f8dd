import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { isMediaRejected } from '../../domain-blocks/suspended-host.ts'
import { visibleTo } from '../../access/visibility.ts'

/** A remote file, identified by the row that references it. */
export type RemoteFileReference =
  | {
      owner: 'media'
      id: string
      rendition: 'original' | 'small'
      /** 32 hexadecimal digits (`proxy_key`); null: not needed for public files. */
      key: string | null
    }
  | { owner: 'account'; id: string; rendition: 'avatar' | 'header' }
  | { owner: 'emoji'; id: string; rendition: 'emoji' }

/** A remote file to fetch, with its rendition. */
export interface RemoteFile {
  owner: 'media' | 'account' | 'emoji'
  id: string
  rendition: RemoteFileReference['rendition']
  remoteUrl: string
  /** What the preview is generated from, because the remote server has none. null: the file is fetched. */
  derivedFrom: 'image' | 'video' | null
}

/** A cached file. */
export interface CachedFile {
  id: string
  key: string
  /** The key of the static version; the same as `key` for a file that is not animated. */
  staticKey: string
  usedAt: Date
}

export interface CacheLookup {
  remoteFile: RemoteFile
  file: CachedFile | null
  /** The last fetch failed, and is not repeated before `retryAt`. `count`: consecutive failures. */
  failure: { status: number; retryAt: Date; count: number } | null
}

interface Row {
  remote_url: string
  derived_from: RemoteFile['derivedFrom']
  cached_id: string | null
  file_key: string | null
  static_key: string | null
  used_at: Date | null
  status: number | null
  failures: number | null
  retry_at: Date | null
}

// Ignores an entry of a former URL.
const joinCachedFile = (owner: string, url: string) =>
  `left join cached_files c on ${owner} and c.rendition = $rendition and c.remote_url = ${url}`
const COLUMNS = `c.id as cached_id, c.file_key, c.static_key, c.used_at, c.status, c.failures, c.retry_at`

const MEDIA_URL = `case when $rendition = 'original' then m.remote_url
  else coalesce(m.preview_remote_url, case when m.type <> 'audio' then m.remote_url end) end`
const DERIVED_FROM = `case when $rendition = 'small' and m.preview_remote_url is null
  then case when m.type = 'image' then 'image' else 'video' end end`
const selectMedia = (accessCondition: string) =>
  `select ${MEDIA_URL} as remote_url, ${DERIVED_FROM} as derived_from, ${COLUMNS}
     from media_attachments m join statuses s on s.id = m.status_id join accounts a on a.id = m.account_id
       ${joinCachedFile('c.media_id = m.id', `(${MEDIA_URL})`)}
     where m.id = $id and m.file_key is null and m.type <> 'unknown' and (${MEDIA_URL}) is not null
       and a.suspended_at is null and not ${isMediaRejected('a.domain')} and ${accessCondition}`
const findMediaByKey = statement<{ params: { id: string; rendition: string; proxyKey: string }; row: Row }>(
  selectMedia(`m.proxy_key = $proxyKey::uuid`),
)
const findPublicMedia = statement<{ params: { id: string; rendition: string }; row: Row }>(
  selectMedia(`m.withdrawn_at is null and s.visibility in ('public', 'unlisted') and ${visibleTo('null')}`),
)
const PROFILE_IMAGE_URL = `case when $rendition = 'avatar' then a.avatar_remote_url else a.header_remote_url end`
const findProfileImage = statement<{ params: { id: string; rendition: string }; row: Row }>(
  `select ${PROFILE_IMAGE_URL} as remote_url, null as derived_from, ${COLUMNS}
   from accounts a ${joinCachedFile('c.account_id = a.id', `(${PROFILE_IMAGE_URL})`)}
   where a.id = $id and a.domain is not null and (${PROFILE_IMAGE_URL}) is not null
     and a.suspended_at is null and not ${isMediaRejected('a.domain')}`,
)
const findEmoji = statement<{ params: { id: string; rendition: string }; row: Row; notNull: 'remote_url' }>(
  `select em.image_remote_url as remote_url, null as derived_from, ${COLUMNS}
   from custom_emojis em ${joinCachedFile('c.emoji_id = em.id', 'em.image_remote_url')}
   where em.id = $id and em.image_key is null and em.image_remote_url is not null and em.domain is not null
     and not em.disabled and not ${isMediaRejected('em.domain')}`,
)

const findOriginal = statement<{ params: { id: string; rendition: string }; row: Row; notNull: 'remote_url' }>(
  `select m.remote_url, null as derived_from, ${COLUMNS}
   from media_attachments m ${joinCachedFile('c.media_id = m.id', 'm.remote_url')} where m.id = $id and m.remote_url is not null`,
)

/**
 * Returns the original that a preview is generated from. Access to the preview was checked already.
 * @throws NotFoundError
 */
export async function findCachedOriginal(read: Pick<Read, 'db'>, { id }: RemoteFile): Promise<CacheLookup> {
  return lookupOf(
    { owner: 'media', id, rendition: 'original' },
    await findOriginal(read.db, { id, rendition: 'original' }),
  )
}

/**
 * Returns the cache state of a remote file by the row that references it, never by a URL from a request.
 * @throws NotFoundError alike for an unknown file, a file that is not public without its key, and a file of a domain
 *   whose media are rejected
 */
export async function findCachedFile(read: Pick<Read, 'db'>, reference: RemoteFileReference): Promise<CacheLookup> {
  return lookupOf(reference, await selectRows(read, reference))
}

function lookupOf({ owner, id, rendition }: Pick<RemoteFile, 'owner' | 'id' | 'rendition'>, [row]: Row[]): CacheLookup {
  if (!row) throw new NotFoundError()
  const remoteFile: RemoteFile = { owner, id, rendition, remoteUrl: row.remote_url, derivedFrom: row.derived_from }
  if (row.cached_id === null) return { remoteFile, file: null, failure: null }
  if (row.file_key === null) {
    return { remoteFile, file: null, failure: { status: row.status!, retryAt: row.retry_at!, count: row.failures! } }
  }
  const staticKey = row.static_key ?? row.file_key
  return { remoteFile, file: { id: row.cached_id, key: row.file_key, staticKey, usedAt: row.used_at! }, failure: null }
}

async function selectRows({ db }: Pick<Read, 'db'>, reference: RemoteFileReference): Promise<Row[]> {
  const { owner, id, rendition } = reference
  if (owner === 'account') return findProfileImage(db, { id, rendition })
  if (owner === 'emoji') return findEmoji(db, { id, rendition })
  return reference.key === null
    ? findPublicMedia(db, { id, rendition })
    : findMediaByKey(db, { id, rendition, proxyKey: reference.key })
}

const selectCachedFile = (column: string) =>
  statement<{
    params: { ownerId: string; rendition: string; remoteUrl: string }
    row: Row & { cached_id: string; used_at: Date; failures: number }
  }>(
    `select c.remote_url, null as derived_from, ${COLUMNS} from cached_files c
     where c.${column} = $ownerId and c.rendition = $rendition and c.remote_url = $remoteUrl`,
  )
const selectCachedFileOf = {
  media: selectCachedFile('media_id'),
  account: selectCachedFile('account_id'),
  emoji: selectCachedFile('emoji_id'),
}

/** Returns the present cache entry of a file, which may have changed since `findCachedFile`. */
export async function findCurrentFile(
  read: Pick<Read, 'db'>,
  remoteFile: RemoteFile,
): Promise<Pick<CacheLookup, 'file' | 'failure'>> {
  const rows = await selectCachedFileOf[remoteFile.owner](read.db, {
    ownerId: remoteFile.id,
    rendition: remoteFile.rendition,
    remoteUrl: remoteFile.remoteUrl,
  })
  return rows.length === 0 ? { file: null, failure: null } : lookupOf(remoteFile, rows)
}

import { NotFound } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Read } from '../../context.ts'
import { mediaRefusedOf } from '../../moderation/suspended-host.ts'
import { visibleTo } from '../../statuses/visibility.ts'

/** A file of another server, by what shows it. */
export type Shown =
  | {
      of: 'media'
      id: string
      rendition: 'original' | 'small'
      /** 32 hexadecimal digits; null: what everybody may see needs none. */
      key: string | null
    }
  | { of: 'account'; id: string; rendition: 'avatar' | 'header' }
  | { of: 'emoji'; id: string; rendition: 'emoji' }

/** What is to be asked for, and for what. */
export interface Wanted {
  of: 'media' | 'account' | 'emoji'
  id: string
  rendition: Shown['rendition']
  remoteUrl: string
  /** A small picture is to be made of the original, since their server has none. */
  isReduced: boolean
}

/** A file that is kept. */
export interface CachedFile {
  id: string
  key: string
  /** Stands still; the same where the file itself does. */
  staticKey: string
  usedAt: Date
}

export interface Found {
  wanted: Wanted
  file: CachedFile | null
  /** It could not be had, and is not asked for again before then. `count`: how often in a row. */
  failure: { status: number; retryAt: Date; count: number } | null
}

interface Row {
  remote_url: string
  is_reduced: boolean
  cached_id: string | null
  file_key: string | null
  static_key: string | null
  used_at: Date | null
  status: number | null
  failures: number | null
  retry_at: Date | null
}

// What was kept of another address counts for nothing.
const kept = (owner: string, url: string) =>
  `left join cached_files c on ${owner} and c.rendition = $rendition and c.remote_url = ${url}`
const COLUMNS = `c.id as cached_id, c.file_key, c.static_key, c.used_at, c.status, c.failures, c.retry_at`

const MEDIA_URL = `case when $rendition = 'original' then m.remote_url
  else coalesce(m.preview_remote_url, case when m.type = 'image' then m.remote_url end) end`
const selectMedia = (may: string) =>
  `select ${MEDIA_URL} as remote_url, $rendition = 'small' and m.preview_remote_url is null as is_reduced, ${COLUMNS}
     from media_attachments m join statuses s on s.id = m.status_id join accounts a on a.id = m.account_id
       ${kept('c.media_id = m.id', `(${MEDIA_URL})`)}
     where m.id = $id and m.file_key is null and m.type <> 'unknown' and (${MEDIA_URL}) is not null
       and a.suspended_at is null and not ${mediaRefusedOf('a.domain')} and ${may}`
const findMediaByKey = statement<{ params: { id: string; rendition: string; proxyKey: string }; row: Row }>(
  selectMedia(`m.proxy_key = $proxyKey::uuid`),
)
const findPublicMedia = statement<{ params: { id: string; rendition: string }; row: Row }>(
  selectMedia(`m.withdrawn_at is null and s.visibility in ('public', 'unlisted') and ${visibleTo('null')}`),
)
const PICTURE_URL = `case when $rendition = 'avatar' then a.avatar_remote_url else a.header_remote_url end`
const findPicture = statement<{ params: { id: string; rendition: string }; row: Row }>(
  `select ${PICTURE_URL} as remote_url, false as is_reduced, ${COLUMNS}
   from accounts a ${kept('c.account_id = a.id', `(${PICTURE_URL})`)}
   where a.id = $id and a.domain is not null and (${PICTURE_URL}) is not null
     and a.suspended_at is null and not ${mediaRefusedOf('a.domain')}`,
)
const findEmoji = statement<{ params: { id: string; rendition: string }; row: Row; notNull: 'remote_url' }>(
  `select em.image_remote_url as remote_url, false as is_reduced, ${COLUMNS}
   from custom_emojis em ${kept('c.emoji_id = em.id', 'em.image_remote_url')}
   where em.id = $id and em.image_key is null and em.image_remote_url is not null and em.domain is not null
     and not em.disabled and not ${mediaRefusedOf('em.domain')}`,
)

const findOriginal = statement<{ params: { id: string; rendition: string }; row: Row; notNull: 'remote_url' }>(
  `select m.remote_url, false as is_reduced, ${COLUMNS}
   from media_attachments m ${kept('c.media_id = m.id', 'm.remote_url')} where m.id = $id and m.remote_url is not null`,
)

/** The original of which a small picture is to be made, for whom that was found already. @throws NotFound */
export async function findOriginalOf(read: Pick<Read, 'db'>, { id }: Wanted): Promise<Found> {
  return foundOf({ of: 'media', id, rendition: 'original' }, await findOriginal(read.db, { id, rendition: 'original' }))
}

/**
 * What is known here of a file of another server, by what shows it, never by its address.
 * @throws NotFound for what is not there, what is hidden from whoever has no key, and what a rule refuses: all alike
 */
export async function findCached(read: Pick<Read, 'db'>, shown: Shown): Promise<Found> {
  return foundOf(shown, await rowsOf(read, shown))
}

function foundOf({ of, id, rendition }: Pick<Wanted, 'of' | 'id' | 'rendition'>, [row]: Row[]): Found {
  if (!row) throw new NotFound()
  const wanted: Wanted = { of, id, rendition, remoteUrl: row.remote_url, isReduced: row.is_reduced }
  if (row.cached_id === null) return { wanted, file: null, failure: null }
  if (row.file_key === null) {
    return { wanted, file: null, failure: { status: row.status!, retryAt: row.retry_at!, count: row.failures! } }
  }
  const staticKey = row.static_key ?? row.file_key
  return { wanted, file: { id: row.cached_id, key: row.file_key, staticKey, usedAt: row.used_at! }, failure: null }
}

async function rowsOf({ db }: Pick<Read, 'db'>, shown: Shown): Promise<Row[]> {
  const { of, id, rendition } = shown
  if (of === 'account') return findPicture(db, { id, rendition })
  if (of === 'emoji') return findEmoji(db, { id, rendition })
  return shown.key === null
    ? findPublicMedia(db, { id, rendition })
    : findMediaByKey(db, { id, rendition, proxyKey: shown.key })
}

const keptOf = (column: string) =>
  statement<{
    params: { wantedId: string; rendition: string; remoteUrl: string }
    row: Row & { cached_id: string; used_at: Date; failures: number }
  }>(
    `select c.remote_url, false as is_reduced, ${COLUMNS} from cached_files c
     where c.${column} = $wantedId and c.rendition = $rendition and c.remote_url = $remoteUrl`,
  )
const findKeptOf = { media: keptOf('media_id'), account: keptOf('account_id'), emoji: keptOf('emoji_id') }

/** What came of a file since somebody looked for it. */
export async function findKept(read: Pick<Read, 'db'>, wanted: Wanted): Promise<Pick<Found, 'file' | 'failure'>> {
  const rows = await findKeptOf[wanted.of](read.db, {
    wantedId: wanted.id,
    rendition: wanted.rendition,
    remoteUrl: wanted.remoteUrl,
  })
  return rows.length === 0 ? { file: null, failure: null } : foundOf(wanted, rows)
}

import { NotFoundError } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read } from '../../context.ts'
import { findCachedFile } from './find-cached-file.ts'
import type { RemoteFileReference } from './find-cached-file.ts'
import { fetchOnce } from './get-cached-file.ts'

const BATCH_SIZE = 200

/** Which remote files: those of a status, an account or a domain, or of statuses since a time. */
export interface RefreshScope {
  statusId?: string | undefined
  accountId?: string | undefined
  domain?: string | undefined
  since?: Date | undefined
}

const HAS_PREVIEW = `(m.preview_remote_url is not null or m.type = 'image')`
// Null parameters do not restrict the result.
const MEDIA = `media_attachments m join accounts a on a.id = m.account_id
   where m.id > $after and m.file_key is null and m.type <> 'unknown' and m.withdrawn_at is null and a.domain is not null
     and ($statusId::bigint is null or m.status_id = $statusId) and ($accountId::bigint is null
       or m.account_id = $accountId)
     and ($domain::text is null or a.domain = $domain) and ($since::timestamptz is null or m.created_at >= $since)`
const selectMedia = statement<{
  params: {
    after: string
    statusId: string | null
    accountId: string | null
    domain: string | null
    since: Date | null
  }
  row: { id: string; key: string; has_preview: boolean }
}>(
  `select m.id, replace(m.proxy_key::text, '-', '') as key, ${HAS_PREVIEW} as has_preview
   from ${MEDIA} order by m.id limit ${BATCH_SIZE}`,
)
const countMedia = statement<{
  params: {
    after: string
    statusId: string | null
    accountId: string | null
    domain: string | null
    since: Date | null
  }
  row: { count: string }
}>(`select coalesce(sum(case when ${HAS_PREVIEW} then 2 else 1 end), 0) as count from ${MEDIA}`)
const findStatus = statement<{ params: { id: string }; row: { id: string } }>(
  `select id from statuses where id = $id and deleted_at is null`,
)
const REMOTE_ACCOUNTS = `accounts where id > $after and domain is not null and (id = $accountId or domain = $domain)
  and suspended_at is null`
const countProfileImages = statement<{
  params: { after: string; accountId: string | null; domain: string | null }
  row: { count: string }
}>(`select count(avatar_remote_url) + count(header_remote_url) as count from ${REMOTE_ACCOUNTS}`)
const selectProfileImages = statement<{
  params: { after: string; accountId: string | null; domain: string | null }
  row: { id: string; has_avatar: boolean; has_header: boolean }
}>(
  `select id, avatar_remote_url is not null as has_avatar, header_remote_url is not null as has_header
   from ${REMOTE_ACCOUNTS} order by id limit ${BATCH_SIZE}`,
)

/** Counts the files that `listRefreshable` yields. @throws NotFoundError if the scope has an unknown status */
export async function countRefreshable(read: Pick<Read, 'db'>, scope: RefreshScope): Promise<number> {
  const { statusId = null, accountId = null, domain = null, since = null } = scope
  if (statusId !== null && (await findStatus(read.db, { id: statusId })).length === 0) throw new NotFoundError()
  const [files] = await countMedia(read.db, { after: '0', statusId, accountId, domain, since })
  const [profileImages] = await countProfileImages(read.db, { after: '0', accountId, domain })
  return Number(files!.count) + Number(profileImages!.count)
}

/** Yields remote files in batches; profile images only if the scope has an account or a domain. */
export async function* listRefreshable(
  read: Pick<Read, 'db'>,
  scope: RefreshScope,
): AsyncGenerator<RemoteFileReference[]> {
  const { statusId = null, accountId = null, domain = null, since = null } = scope
  let rows = await selectMedia(read.db, { after: '0', statusId, accountId, domain, since })
  while (rows.length > 0) {
    yield rows.flatMap(({ id, key, has_preview: hasPreview }): RemoteFileReference[] => [
      { owner: 'media', id, rendition: 'original', key },
      ...(hasPreview ? [{ owner: 'media', id, rendition: 'small', key } as const] : []),
    ])
    rows = await selectMedia(read.db, { after: rows.at(-1)!.id, statusId, accountId, domain, since })
  }
  if (accountId === null && domain === null) return
  let profileImages = await selectProfileImages(read.db, { after: '0', accountId, domain })
  while (profileImages.length > 0) {
    yield profileImages.flatMap(({ id, has_avatar: hasAvatar, has_header: hasHeader }): RemoteFileReference[] => [
      ...(hasAvatar ? [{ owner: 'account', id, rendition: 'avatar' } as const] : []),
      ...(hasHeader ? [{ owner: 'account', id, rendition: 'header' } as const] : []),
    ])
    profileImages = await selectProfileImages(read.db, { after: profileImages.at(-1)!.id, accountId, domain })
  }
}

/**
 * Fetches a file now, also before the retry time of a failure; with `force`, also if it is cached already. Returns
 * `rejected` if a domain block rejects its media. @throws as `fetchOnce`
 */
export async function refreshFile(
  ctx: Ctx,
  { reference, force }: { reference: RemoteFileReference; force: boolean },
): Promise<'fetched' | 'cached' | 'rejected'> {
  const found = await findCachedFile(ctx, reference).catch((err: unknown) => {
    if (err instanceof NotFoundError) return null
    throw err
  })
  if (found === null) return 'rejected'
  if (found.file && !force) return 'cached'
  await fetchOnce(ctx, found, { lostKey: found.file?.key, ignoreFailure: true })
  return 'fetched'
}

import { NotFound } from '../../../lib/errors.ts'
import { statement } from '../../../platform/db/statement.ts'
import type { Ctx, Read } from '../../context.ts'
import { findCached } from './find.ts'
import type { Shown } from './find.ts'
import { keepOnce } from './keep.ts'

const ROWS = 200

/** Whose files: of one post, of somebody, of a server, or of posts since a day. */
export interface RefreshScope {
  statusId?: string | undefined
  accountId?: string | undefined
  domain?: string | undefined
  since?: Date | undefined
}

const HAS_PREVIEW = `(m.preview_remote_url is not null or m.type = 'image')`
// Parameters that are null do not restrict the result.
const MEDIA = `media_attachments m join accounts a on a.id = m.account_id
   where m.id > $after and m.file_key is null and m.type <> 'unknown' and m.withdrawn_at is null and a.domain is not null
     and ($statusId::bigint is null or m.status_id = $statusId) and ($accountId::bigint is null
       or m.account_id = $accountId)
     and ($domain::text is null or a.domain = $domain) and ($since::timestamptz is null or m.created_at >= $since)`
const media = statement<{
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
   from ${MEDIA} order by m.id limit ${ROWS}`,
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
const PEOPLE = `accounts where id > $after and domain is not null and (id = $accountId or domain = $domain)
  and suspended_at is null`
const countPeople = statement<{
  params: { after: string; accountId: string | null; domain: string | null }
  row: { count: string }
}>(`select count(avatar_remote_url) + count(header_remote_url) as count from ${PEOPLE}`)
const people = statement<{
  params: { after: string; accountId: string | null; domain: string | null }
  row: { id: string; has_avatar: boolean; has_header: boolean }
}>(
  `select id, avatar_remote_url is not null as has_avatar, header_remote_url is not null as has_header
   from ${PEOPLE} order by id limit ${ROWS}`,
)

/** How many files `listRefreshable` gives. */
export async function countRefreshable(read: Pick<Read, 'db'>, scope: RefreshScope): Promise<number> {
  const { statusId = null, accountId = null, domain = null, since = null } = scope
  const [files] = await countMedia(read.db, { after: '0', statusId, accountId, domain, since })
  const [faces] = await countPeople(read.db, { after: '0', accountId, domain })
  return Number(files!.count) + Number(faces!.count)
}

/** What of other servers could be kept, in sets; pictures of people only where people or a server are named. */
export async function* listRefreshable(read: Pick<Read, 'db'>, scope: RefreshScope): AsyncGenerator<Shown[]> {
  const { statusId = null, accountId = null, domain = null, since = null } = scope
  let rows = await media(read.db, { after: '0', statusId, accountId, domain, since })
  while (rows.length > 0) {
    yield rows.flatMap(({ id, key, has_preview: hasPreview }): Shown[] => [
      { of: 'media', id, rendition: 'original', key },
      ...(hasPreview ? [{ of: 'media', id, rendition: 'small', key } as const] : []),
    ])
    rows = await media(read.db, { after: rows.at(-1)!.id, statusId, accountId, domain, since })
  }
  if (accountId === null && domain === null) return
  let faces = await people(read.db, { after: '0', accountId, domain })
  while (faces.length > 0) {
    yield faces.flatMap(({ id, has_avatar: hasAvatar, has_header: hasHeader }): Shown[] => [
      ...(hasAvatar ? [{ of: 'account', id, rendition: 'avatar' } as const] : []),
      ...(hasHeader ? [{ of: 'account', id, rendition: 'header' } as const] : []),
    ])
    faces = await people(read.db, { after: faces.at(-1)!.id, accountId, domain })
  }
}

/**
 * Asks for a file now, also if it could not be had lately; `force`: also if it is kept already.
 * `refused`: a rule says that it is not taken. @throws as `getCached`
 */
export async function refreshFile(
  ctx: Ctx,
  { shown, force }: { shown: Shown; force: boolean },
): Promise<'fetched' | 'kept' | 'refused'> {
  const found = await findCached(ctx, shown).catch((err: unknown) => {
    if (err instanceof NotFound) return null
    throw err
  })
  if (found === null) return 'refused'
  if (found.file && !force) return 'kept'
  await keepOnce(ctx, found, { lost: found.file?.key, impatient: true })
  return 'fetched'
}

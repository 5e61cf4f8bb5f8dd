import { visibleInExport } from '../../domain/access/visible-in-export.ts'
import type { Read } from '../../domain/context.ts'
import type { Config } from '../../platform/config/config.ts'
import { toJson } from '../../lib/json/json.ts'
import type { Json } from '../../lib/json/json.ts'
import { statement } from '../../platform/db/statement.ts'
import { fileUrl } from '../../render/media/render-media.ts'
import { writeStatusActivities } from '../objects/write/write-status-activities.ts'
import { BASE_CONTEXT, NOTE_CONTEXT } from '../wire/context.ts'

/** How many statuses, likes or bookmarks one part of a file contains. */
const BATCH_SIZE = 200

const MEDIA_FOLDER = 'media/'
const ARCHIVED_MEDIA_FOLDER = 'media_attachments/files/'

// All visibilities: the author sees them.
const findStatuses = statement<{ params: { accountId: string; after: string }; row: { id: string } }>(
  `select s.id from statuses s
   where s.account_id = $accountId and s.id > $after::bigint and s.local and s.deleted_at is null
   order by s.id limit ${BATCH_SIZE}`,
)
const findUris = (table: string) =>
  statement<{ params: { accountId: string; after: string }; row: { id: string; uri: string } }>(
    `select l.id, s.uri from ${table} l join statuses s on s.id = l.status_id
     where l.account_id = $accountId and l.id > $after::bigint and ${visibleInExport('$accountId')}
     order by l.id limit ${BATCH_SIZE}`,
  )
const COLLECTIONS = { 'likes.json': findUris('favourites'), 'bookmarks.json': findUris('bookmarks') }

interface Activity {
  object?: string | { attachment?: { url?: unknown }[] }
}

/** Returns the path of an attachment in an archive, by its storage key. */
export function archivedMediaPath(key: string): string {
  return ARCHIVED_MEDIA_FOLDER + key.slice(MEDIA_FOLDER.length)
}

/** Returns an actor whose images and collections are files of the archive. `avatar`, `header`: paths, null: none. */
export function writeActorFile(
  document: Json<object>,
  { avatar, header }: { avatar: string | null; header: string | null },
): string {
  const actor = JSON.parse(document) as { icon?: object; image?: object }
  return JSON.stringify({
    ...actor,
    ...(actor.icon && avatar !== null && { icon: { ...actor.icon, url: avatar } }),
    ...(actor.image && header !== null && { image: { ...actor.image, url: header } }),
    outbox: 'outbox.json',
    likes: 'likes.json',
    bookmarks: 'bookmarks.json',
  })
}

/** Yields the JSON of the collection of all posts and boosts of an account except local-only ones, oldest first. */
export async function* writeOutbox(
  read: Read,
  { accountId, now }: { accountId: string; now: Date },
): AsyncGenerator<string> {
  yield openCollection(NOTE_CONTEXT, 'outbox.json')
  let count = 0
  for (let after = '0'; ;) {
    const ids = (await findStatuses(read.db, { accountId, after })).map(({ id }) => id)
    const activities = await writeStatusActivities(read, { ids, now })
    for (const id of ids) {
      const activity = activities.get(id)
      if (activity) yield `${(count += 1) === 1 ? '' : ','}${withArchivedMedia(read.config, activity.json)}`
    }
    if (ids.length < BATCH_SIZE) break
    after = ids.at(-1)!
  }
  yield `],"totalItems":${count}}`
}

/** Yields the JSON of the collection of the URIs of all statuses that an account likes or bookmarks, oldest first. */
export async function* writeUriCollection(
  read: Read,
  { accountId, name }: { accountId: string; name: keyof typeof COLLECTIONS },
): AsyncGenerator<string> {
  yield openCollection(BASE_CONTEXT, name)
  for (let after = '0', separator = ''; ;) {
    const rows = await COLLECTIONS[name](read.db, { accountId, after })
    if (rows.length > 0) yield separator + rows.map(({ uri }) => toJson(uri)).join(',')
    if (rows.length < BATCH_SIZE) break
    separator = ','
    after = rows.at(-1)!.id
  }
  yield ']}'
}

/** Returns the beginning of a collection, up to its items. */
function openCollection(context: Json<unknown>, id: string): string {
  return `{"@context":${context},"id":"${id}","type":"OrderedCollection","orderedItems":[`
}

/** Replaces the URLs of attachments by the paths of their files. */
function withArchivedMedia(config: Config, json: Json<object>): string {
  const activity = JSON.parse(json) as Activity
  if (typeof activity.object !== 'object' || !activity.object.attachment?.length) return json
  const prefix = fileUrl(config, MEDIA_FOLDER)
  const attachment = activity.object.attachment.map((one) =>
    typeof one.url === 'string' && one.url.startsWith(prefix)
      ? { ...one, url: ARCHIVED_MEDIA_FOLDER + one.url.slice(prefix.length) }
      : one,
  )
  return JSON.stringify({ ...activity, object: { ...activity.object, attachment } })
}

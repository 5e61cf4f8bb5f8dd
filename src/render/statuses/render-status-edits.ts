import { setImmediate as nextTurn } from 'node:timers/promises'
import type { CachedRead, Read } from '../../domain/context.ts'
import type { StatusEdit, StatusSource } from '../../entities/statuses/status.ts'
import { entity, entityJson, streamList } from '../../lib/json/entity-json.ts'
import type { EntityJson } from '../../lib/json/json-content.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { htmlToPlainText } from '../../lib/html/html-to-plain-text.ts'
import { statement } from '../../platform/db/statement.ts'
import { renderAccount } from '../accounts/render-accounts.ts'
import { emojisOf, renderCustomEmojis } from '../emojis/render-emojis.ts'
import type { EmojiRow } from '../emojis/render-emojis.ts'
import { MEDIA_JSON, mediaAttachment } from '../media/render-media.ts'
import type { MediaRow } from '../media/render-media.ts'
import { openStatusRenderer } from './render-statuses.ts'

/** The columns of a version. */
interface VersionRow {
  content: string
  spoiler_text: string
  sensitive: boolean
  created_at: Date
  poll_options: string[] | null
  media: MediaRow[] | null
  emojis: EmojiRow[] | null
}

interface CurrentVersionRow extends VersionRow {
  account_id: string
  /** The number of former versions, and the id of the last one of them; null for none. */
  former_count: number
  last_id: string | null
}

// The row in `statuses` is the last version.
const selectCurrent = statement<{ params: { statusId: string }; row: CurrentVersionRow }>(
  `select s.account_id, s.content, s.spoiler_text, s.sensitive, coalesce(s.edited_at, s.created_at) as created_at,
     (select p.options from polls p where p.status_id = s.id) as poll_options,
     (select jsonb_agg(${MEDIA_JSON} order by m.position, m.id)
        from media_attachments m where m.status_id = s.id and m.withdrawn_at is null) as media,
     ${emojisOf('s.emoji_ids')} as emojis,
     (select count(*)::int from status_edits e where e.status_id = s.id) as former_count,
     (select max(e.id) from status_edits e where e.status_id = s.id) as last_id
   from statuses s where s.id = $statusId`,
)
// Versions have their own media descriptions and share the files. `lastId`: an edit in the meantime adds the version
// that was the current one.
const selectFormer = statement<{
  params: { statusId: string; lastId: string; offset: number; limit: number }
  row: VersionRow
}>(
  `select e.content, e.spoiler_text, e.sensitive, e.created_at, e.poll_options,
     (select jsonb_agg(${MEDIA_JSON} || jsonb_build_object('description', v.item -> 'description', 'meta', v.item -> 'meta')
          order by v.position)
        from jsonb_array_elements(e.media) with ordinality v (item, position)
          join media_attachments m on m.id = (v.item ->> 'id')::bigint and m.status_id = e.status_id) as media,
     ${emojisOf('e.emoji_ids')} as emojis
   from (
     select id from status_edits where status_id = $statusId and id <= $lastId order by id offset $offset limit $limit
   ) part join status_edits e on e.id = part.id
   order by e.id`,
)

/** How many versions are read and serialised before other requests continue: with long descriptions, about 20 ms. */
const BATCH = 5

/** A range of versions: from the index `from` to the one before `to`. */
interface VersionRange {
  from: number
  to: number
}

/** The versions of a status, from the original to the current one. */
interface StatusVersions {
  count: number
  render(range: VersionRange): Promise<EntityJson<StatusEdit>[]>
}

/** Finds the versions of a status. All have the same quote. @throws NotFoundError */
async function findVersions(
  read: CachedRead,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<StatusVersions> {
  const [current] = await selectCurrent(read.db, { statusId: id })
  if (!current) throw new NotFoundError()
  const [account, { renderer, context }] = await Promise.all([
    renderAccount(read, { id: current.account_id }),
    openStatusRenderer(read, { ids: [id], viewerId }),
  ])
  const fields = renderer.fieldsForViewer(id, context)
  if (fields === null) throw new NotFoundError()
  const { former_count: formerCount, last_id: lastId } = current
  const render = (version: VersionRow) =>
    entityJson<StatusEdit>({
      content: version.content,
      spoiler_text: version.spoiler_text,
      sensitive: version.sensitive,
      created_at: version.created_at.toISOString(),
      account,
      poll: version.poll_options ? { options: version.poll_options.map((title) => ({ title })) } : undefined,
      media_attachments: (version.media ?? []).map((media) => mediaAttachment(read.config, media)),
      emojis: renderCustomEmojis(read.config, version.emojis),
      quote: fields.quote ?? undefined,
    })
  return {
    count: formerCount + 1,
    async render({ from, to }) {
      const limit = Math.min(to, formerCount) - from
      const former =
        lastId === null || limit <= 0 ? [] : await selectFormer(read.db, { statusId: id, lastId, offset: from, limit })
      return [...former, ...(to > formerCount ? [current] : [])].map(render)
    },
  }
}

/**
 * Returns the number of versions of a status, and those in the range that `rangeOf` returns for it. The caller has checked
 * that the viewer may see the status.
 * @throws NotFoundError
 */
export async function renderStatusVersions(
  read: CachedRead,
  { id, viewerId, rangeOf }: { id: string; viewerId: string | null; rangeOf: (count: number) => VersionRange },
): Promise<{ count: number; versions: EntityJson<StatusEdit>[] }> {
  const { count, render } = await findVersions(read, { id, viewerId })
  return { count, versions: await render(rangeOf(count)) }
}

/**
 * Yields the JSON of all versions of a status in parts, so that a status with thousands of versions neither delays other
 * requests nor is completely in memory. The caller has checked that the viewer may see the status. Mastodon:
 * GET /api/v1/statuses/:id/history.
 * @throws NotFoundError
 */
export function renderStatusEdits(
  read: CachedRead,
  status: { id: string; viewerId: string | null },
): AsyncGenerator<string, void, undefined> {
  return streamList(renderBatches(read, status))
}

async function* renderBatches(
  read: CachedRead,
  status: { id: string; viewerId: string | null },
): AsyncGenerator<EntityJson<StatusEdit>[], void, undefined> {
  const { count, render } = await findVersions(read, status)
  for (let from = 0; from < count; from += BATCH) {
    if (from > 0) await nextTurn()
    yield await render({ from, to: from + BATCH })
  }
}

const selectSource = statement<{
  params: { id: string }
  row: { id: string; text: string; content: string; spoiler_text: string; local: boolean }
}>(`select id, text, content, spoiler_text, local from statuses where id = $id`)

/** Returns the text of a status as typed; for a remote status, its content as plain text. @throws NotFoundError */
export async function renderStatusSource(read: Read, { id }: { id: string }): Promise<StatusSource> {
  const [row] = await selectSource(read.db, { id })
  if (!row) throw new NotFoundError()
  const text = row.local ? row.text : htmlToPlainText(row.content)
  return entity<StatusSource>({ id: row.id, text, spoiler_text: row.spoiler_text })
}

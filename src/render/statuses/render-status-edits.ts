import type { CachedRead, Read } from '../../domain/context.ts'
import type { StatusEdit, StatusSource } from '../../entities/statuses/status.ts'
import { entity, entityJson } from '../../lib/json/entity-json.ts'
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

interface VersionRow {
  /** The order; null for the current version. */
  position: string | null
  account_id: string
  content: string
  spoiler_text: string
  sensitive: boolean
  created_at: Date
  poll_options: string[] | null
  media: MediaRow[] | null
  emojis: EmojiRow[] | null
}

// The row in `statuses` is the last version. Versions have their own media descriptions and share the files.
const selectVersions = statement<{ params: { statusId: string }; row: VersionRow }>(
  `select s.account_id, e.content, e.spoiler_text, e.sensitive, e.created_at, e.poll_options, e.id as position,
     (select jsonb_agg(${MEDIA_JSON} || jsonb_build_object('description', v.item -> 'description', 'meta', v.item -> 'meta')
          order by v.position)
        from jsonb_array_elements(e.media) with ordinality v (item, position)
          join media_attachments m on m.id = (v.item ->> 'id')::bigint and m.status_id = s.id) as media,
     ${emojisOf('e.emoji_ids')} as emojis
   from status_edits e join statuses s on s.id = e.status_id where e.status_id = $statusId
   union all
   select s.account_id, s.content, s.spoiler_text, s.sensitive, coalesce(s.edited_at, s.created_at),
     (select p.options from polls p where p.status_id = s.id), null,
     (select jsonb_agg(${MEDIA_JSON} order by m.position, m.id)
        from media_attachments m where m.status_id = s.id and m.withdrawn_at is null),
     ${emojisOf('s.emoji_ids')}
   from statuses s where s.id = $statusId
   order by position nulls last`,
)

/**
 * Returns the versions of a status, from the oldest to the current one. All have the same quote. The caller has checked
 * that the viewer may see the status. Mastodon: GET /api/v1/statuses/:id/history.
 * @throws NotFoundError
 */
export async function renderStatusEdits(
  read: CachedRead,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<EntityJson<StatusEdit>[]> {
  const versions = await selectVersions(read.db, { statusId: id })
  const [first] = versions
  if (!first) throw new NotFoundError()
  const [account, { renderer, context }] = await Promise.all([
    renderAccount(read, { id: first.account_id }),
    openStatusRenderer(read, { ids: [id], viewerId }),
  ])
  const fields = renderer.fieldsForViewer(id, context)
  if (fields === null) throw new NotFoundError()
  return versions.map((version) =>
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
    }),
  )
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

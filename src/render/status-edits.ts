import type { Read } from '../domain/context.ts'
import type { Status, StatusEdit } from '../entities/status.ts'
import { NotFound } from '../lib/errors.ts'
import { jsonObject, toJson } from '../lib/json.ts'
import type { Json } from '../lib/json.ts'
import { statement } from '../platform/db/connect.ts'
import { renderAccount } from './accounts.ts'
import { emojisOf, presentEmojis } from './emojis.ts'
import type { EmojiFacts } from './emojis.ts'
import { MEDIA_JSON } from './load-statuses.ts'
import type { MediaFacts } from './load-statuses.ts'
import { presentMedia } from './media.ts'
import { renderStatus } from './statuses.ts'

interface VersionFacts {
  account_id: string
  content: string
  spoiler_text: string
  sensitive: boolean
  created_at: Date
  poll_options: string[] | null
  media: MediaFacts[] | null
  emojis: EmojiFacts[] | null
}

// What it says now is its last version. Descriptions are those of their time, files the same all along.
const load = statement<VersionFacts>(
  `select s.account_id, e.content, e.spoiler_text, e.sensitive, e.created_at, e.poll_options, e.id as place,
     (select jsonb_agg(${MEDIA_JSON} || jsonb_build_object('description', v.item -> 'description', 'meta', v.item -> 'meta')
          order by v.place)
        from jsonb_array_elements(e.media) with ordinality v (item, place)
          join media_attachments m on m.id = (v.item ->> 'id')::bigint and m.status_id = s.id) as media,
     ${emojisOf('e.emoji_ids')} as emojis
   from status_edits e join statuses s on s.id = e.status_id where e.status_id = $1
   union all
   select s.account_id, s.content, s.spoiler_text, s.sensitive, coalesce(s.edited_at, s.created_at),
     (select p.options from polls p where p.status_id = s.id), null,
     (select jsonb_agg(${MEDIA_JSON} order by m.position, m.id)
        from media_attachments m where m.status_id = s.id and m.withdrawn_at is null),
     ${emojisOf('s.emoji_ids')}
   from statuses s where s.id = $1
   order by place nulls last`,
)

/**
 * Every version of a status, the first one first, what it says now last. What it quotes is the same in all of them.
 * Whether the viewer may see it has been decided before.
 * @throws NotFound
 */
export async function renderStatusEdits(
  read: Read,
  { id, viewerId }: { id: string; viewerId: string | null },
): Promise<Json<StatusEdit>[]> {
  const versions = await load(read.db, [id])
  const [first] = versions
  if (!first) throw new NotFound()
  const account = await renderAccount(read, { id: first.account_id })
  const { quote } = JSON.parse(await renderStatus(read, { id, viewerId })) as Status
  return versions.map((one) =>
    jsonObject<StatusEdit>({
      content: toJson(one.content),
      spoiler_text: toJson(one.spoiler_text),
      sensitive: toJson(one.sensitive),
      created_at: toJson(one.created_at.toISOString()),
      account,
      ...(one.poll_options ? { poll: toJson({ options: one.poll_options.map((title) => ({ title })) }) } : {}),
      media_attachments: toJson((one.media ?? []).map((media) => presentMedia(read.config, media))),
      emojis: toJson(presentEmojis(read.config, one.emojis)),
      ...(quote ? { quote: toJson(quote) } : {}),
    }),
  )
}

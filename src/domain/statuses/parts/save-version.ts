import { statement } from '../../../platform/db/statement.ts'
import type { Tx } from '../../context.ts'

// Copies attachments and poll options, so that the version does not change with them later.
const insertVersion = statement<{ params: { statusId: string } }>(
  `insert into status_edits (status_id, text, content, spoiler_text, sensitive, language, media, poll_options, emoji_ids,
     created_at)
   select s.id, s.text, s.content, s.spoiler_text, s.sensitive, s.language,
     coalesce((select jsonb_agg(jsonb_build_object('id', m.id::text, 'description', m.description, 'meta', m.meta)
         order by m.position, m.id)
       from media_attachments m where m.status_id = s.id and m.withdrawn_at is null), '[]'),
     (select p.options from polls p where p.status_id = s.id), s.emoji_ids, coalesce(s.edited_at, s.created_at)
   from statuses s where s.id = $statusId`,
)

/** Saves the current version of a status in its history, before an edit changes it. */
export async function saveVersion(tx: Tx, { statusId }: { statusId: string }): Promise<void> {
  await insertVersion(tx.db, { statusId })
}

import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { marker } from './lexemes.ts'

const EMBED_MARKER = marker.property('embed')

/** The SQL condition that the card of the status `s` is a video or a photo. */
export const HAS_EMBED = `exists (
  select from status_preview_links sl join preview_cards c on c.id = sl.card_id
  where sl.status_id = s.id and c.type <> 'link' offset 0)`

const updateMarkers = statement<{ params: { statusIds: readonly string[]; embed: string } }>(
  `with entries as (
     select w.status_id, w.lexemes @@ quote_literal($embed::text)::tsquery as was, ${HAS_EMBED} as is
     from status_search_entries w join statuses s on s.id = w.status_id
     where w.status_id = any($statusIds::bigint[]) order by w.status_id for update of w
   )
   update status_search_entries w
   set lexemes = case when entries.is then w.lexemes || array_to_tsvector(array[$embed::text]) else ts_delete(w.lexemes,
     $embed::text) end
   from entries where entries.status_id = w.status_id and entries.was <> entries.is`,
)

/** Updates the `has:embed` marker of statuses whose cards changed. */
export async function indexEmbeds(tx: Pick<Tx, 'db'>, { ids }: { ids: readonly string[] }): Promise<void> {
  await updateMarkers(tx.db, { statusIds: ids, embed: EMBED_MARKER })
}

import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'
import { sign } from './lexemes.ts'

const EMBED = sign.property('embed')

/** Whether the card of the status `s` is a video or a photo, as SQL. */
export const HAS_EMBED = `exists (
  select from status_links sl join preview_cards c on c.id = sl.card_id
  where sl.status_id = s.id and c.type <> 'link' offset 0)`

const mark = statement<{ params: { statusIds: readonly string[]; embed: string } }>(
  `with held as (
     select w.status_id, w.words @@ quote_literal($embed::text)::tsquery as was, ${HAS_EMBED} as is
     from status_words w join statuses s on s.id = w.status_id
     where w.status_id = any($statusIds::bigint[]) order by w.status_id for update of w
   )
   update status_words w
   set words = case when held.is then w.words || array_to_tsvector(array[$embed::text]) else ts_delete(w.words,
     $embed::text) end
   from held where held.status_id = w.status_id and held.was <> held.is`,
)

/** Has statuses whose cards have changed found by what they show, or not any more. */
export async function indexEmbeds(tx: Pick<Tx, 'db'>, { ids }: { ids: readonly string[] }): Promise<void> {
  await mark(tx.db, { statusIds: ids, embed: EMBED })
}

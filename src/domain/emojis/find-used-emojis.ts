import { findEmojiShortcodes } from '../../lib/text/entities/emoji-shortcodes.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const find = statement<{ params: { codes: readonly string[] }; row: { id: string } }>(
  `select id from custom_emojis
   where shortcode = any($codes) and coalesce(domain, '') = '' and not disabled and image_key is not null order by id`,
)

/** Returns the ids of the local custom emojis whose shortcodes occur in texts of local users. */
export async function findUsedEmojis(tx: Tx, { texts }: { texts: readonly string[] }): Promise<string[]> {
  const codes = findEmojiShortcodes(texts)
  return codes.length === 0 ? [] : (await find(tx.db, { codes })).map((row) => row.id)
}

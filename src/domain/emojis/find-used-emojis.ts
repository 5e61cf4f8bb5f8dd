import { findEmojiShortcodes } from '../../lib/text/entities/emoji-shortcodes.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const find = statement<{ params: { codes: readonly string[] }; row: { id: string; shortcode: string } }>(
  `select id, shortcode from custom_emojis
   where shortcode = any($codes) and coalesce(domain, '') = '' and not disabled and image_key is not null order by id`,
)

/** Returns the ids of the local custom emojis whose shortcodes occur in texts of local users. */
export async function findUsedEmojis(tx: Tx, { texts }: { texts: readonly string[] }): Promise<string[]> {
  const [ids] = await findUsedEmojisOfAll(tx, [texts])
  return ids!
}

/** Does the same for several statuses, each with its texts. */
export async function findUsedEmojisOfAll(tx: Tx, all: readonly (readonly string[])[]): Promise<string[][]> {
  const codesOfAll = all.map((texts) => new Set(findEmojiShortcodes(texts)))
  const codes = new Set(codesOfAll.flatMap((codes) => [...codes]))
  const emojis = codes.size === 0 ? [] : await find(tx.db, { codes: [...codes] })
  return codesOfAll.map((used) => emojis.filter(({ shortcode }) => used.has(shortcode)).map(({ id }) => id))
}

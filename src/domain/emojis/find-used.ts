import { findEmojiCodes } from '../../lib/text/emojiCodes.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const find = statement<{ params: { codes: readonly string[] }; row: { id: string } }>(
  `select id from custom_emojis
   where shortcode = any($codes) and coalesce(domain, '') = '' and not disabled and image_key is not null order by id`,
)

/** The custom emojis of here that stand in what somebody of here writes, by their ids. */
export async function findUsedEmojis(tx: Tx, { texts }: { texts: readonly string[] }): Promise<string[]> {
  const codes = findEmojiCodes(texts)
  return codes.length === 0 ? [] : (await find(tx.db, { codes })).map((row) => row.id)
}

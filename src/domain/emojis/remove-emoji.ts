import { NotFoundError } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const remove = statement<{
  params: { shortcode: string }
  row: { image_key: string | null; static_image_key: string | null }
}>(
  `delete from custom_emojis where shortcode = $shortcode and coalesce(domain, '') = ''
    returning image_key, static_image_key`,
)

/** Deletes a local custom emoji. Texts that use it show its shortcode again. @throws NotFoundError */
export async function removeEmoji(tx: Tx, { shortcode }: { shortcode: string }): Promise<void> {
  const [deleted] = await remove(tx.db, { shortcode })
  if (!deleted) throw new NotFoundError(`There is no emoji :${shortcode}:`)
  const mediaKeys = [...new Set([deleted.image_key, deleted.static_image_key])].filter((key) => key !== null)
  tx.emit('media.removed', { mediaKeys })
}

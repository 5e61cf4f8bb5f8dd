import { NotFound } from '../../lib/errors.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Tx } from '../context.ts'

const remove = statement<{
  params: { shortcode: string }
  row: { image_key: string | null; static_image_key: string | null }
}>(
  `delete from custom_emojis where shortcode = $shortcode and coalesce(domain, '') = ''
    returning image_key, static_image_key`,
)

/** Takes away a custom emoji of this server: where it stands, its code is shown again. @throws NotFound */
export async function removeEmoji(tx: Tx, { shortcode }: { shortcode: string }): Promise<void> {
  const [gone] = await remove(tx.db, { shortcode })
  if (!gone) throw new NotFound(`There is no emoji :${shortcode}:`)
  const mediaKeys = [...new Set([gone.image_key, gone.static_image_key])].filter((key) => key !== null)
  tx.emit('media.removed', { mediaKeys })
}

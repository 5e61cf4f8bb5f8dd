import { randomBytes } from 'node:crypto'
import { Unprocessable } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/cleanText.ts'
import { isEmojiCode } from '../../lib/text/emojiCodes.ts'
import { processEmoji } from '../../platform/media/emoji.ts'
import type { MediaSource } from '../../platform/media/probe.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Ctx, Tx } from '../context.ts'

const MAX_CATEGORY_CHARACTERS = 100

interface EmojiFiles {
  image_key: string
  static_image_key: string
}

const find = statement<{ params: { shortcode: string }; row: { id: string } }>(
  `select id from custom_emojis where shortcode = $shortcode and coalesce(domain, '') = ''`,
)
const lock = statement<{ params: { shortcode: string }; row: EmojiFiles; notNull: 'image_key' | 'static_image_key' }>(
  `select image_key, static_image_key from custom_emojis
   where shortcode = $shortcode and coalesce(domain, '') = '' for no key update`,
)
const upsert = statement<{
  params: {
    shortcode: string
    imageKey: string
    staticImageKey: string
    category: string | null
    listed: boolean
    now: Date
  }
}>(
  `insert into custom_emojis (shortcode, image_key, static_image_key, category, visible_in_picker, updated_at, created_at)
   values ($shortcode, $imageKey, $staticImageKey, $category, $listed, $now, $now)
   on conflict (shortcode, coalesce(domain, '')) do update
     set image_key = excluded.image_key, static_image_key = excluded.static_image_key, category = excluded.category,
       visible_in_picker = excluded.visible_in_picker, disabled = false, updated_at = excluded.updated_at`,
)

/** What becomes a custom emoji of this server. */
export interface NewEmoji {
  /** Without the colons. */
  shortcode: string
  picture: MediaSource
  /** Under what it is found in a list of many; null: under nothing. */
  category: string | null
  /** Whether apps offer it. */
  listed: boolean
}

/**
 * Makes a picture a custom emoji of this server, in the place of one that is called the same if `replaces`.
 * `known`: there is one, and it stays as it is.
 * @throws Unprocessable for a code that is none, or a category that is too long · UnsupportedMedia · MediaUnprocessable ·
 *   StorageFull
 */
export async function keepEmoji(
  ctx: Ctx,
  { replaces, ...emoji }: NewEmoji & { replaces: boolean },
): Promise<'added' | 'replaced' | 'known'> {
  const { shortcode } = emoji
  if (!isEmojiCode(shortcode)) {
    throw new Unprocessable('A code has 2 to 128 letters a–z, digits and underscores')
  }
  const category = emoji.category === null ? null : cleanText(emoji.category).replace(/\s+/g, ' ').trim() || null
  if (category !== null && category.length > MAX_CATEGORY_CHARACTERS) {
    throw new Unprocessable(`A category has at most ${MAX_CATEGORY_CHARACTERS} characters`)
  }
  if (!replaces && (await find(ctx.db, { shortcode })).length > 0) return 'known'
  const keys = await storePicture(ctx, { picture: emoji.picture })
  try {
    return await ctx.write((tx) => writeEmoji(tx, { ...emoji, ...keys, category }))
  } catch (err) {
    await ctx.storage.remove({ keys: [keys.image_key, keys.static_image_key] }).catch(() => {})
    throw err
  }
}

async function writeEmoji(
  tx: Tx,
  { shortcode, category, listed, ...keys }: Omit<NewEmoji, 'picture'> & EmojiFiles,
): Promise<'added' | 'replaced'> {
  const [before] = await lock(tx.db, { shortcode })
  await upsert(tx.db, {
    shortcode,
    imageKey: keys.image_key,
    staticImageKey: keys.static_image_key,
    category,
    listed,
    now: tx.now,
  })
  if (!before) return 'added'
  tx.emit('media.removed', { mediaKeys: [...new Set([before.image_key, before.static_image_key])] })
  return 'replaced'
}

async function storePicture(ctx: Ctx, { picture }: { picture: MediaSource }): Promise<EmojiFiles> {
  const image = await processEmoji(picture)
  const name = randomBytes(16).toString('hex')
  const folder = `emojis/${name.slice(0, 2)}/${name}`
  const key = `${folder}.${image.original.extension}`
  await ctx.storage.put({ key, body: image.original.buffer, contentType: image.original.contentType })
  if (!image.static) return { image_key: key, static_image_key: key }
  const staticKey = `${folder}-static.${image.static.extension}`
  try {
    await ctx.storage.put({ key: staticKey, body: image.static.buffer, contentType: image.static.contentType })
  } catch (err) {
    await ctx.storage.remove({ keys: [key] }).catch(() => {})
    throw err
  }
  return { image_key: key, static_image_key: staticKey }
}

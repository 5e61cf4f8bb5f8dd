import { randomBytes } from 'node:crypto'
import { UnprocessableError } from '../../lib/errors.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { isEmojiShortcode } from '../../lib/text/entities/emoji-shortcodes.ts'
import { processEmoji } from '../../platform/media/images/process-emoji.ts'
import type { MediaSource } from '../../platform/media/identify-media.ts'
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

/** A new local custom emoji. */
export interface NewEmoji {
  /** Without the colons. */
  shortcode: string
  image: MediaSource
  /** The heading in the emoji picker; null: none. */
  category: string | null
  /** Whether clients offer it. */
  listed: boolean
}

/**
 * Creates a local custom emoji from an image. With `replaces`, it replaces one with the same shortcode; otherwise that
 * stays, and the result is `unchanged`.
 * @throws UnprocessableError for an invalid shortcode and for a category that is too long; UnsupportedMediaError;
 *   UnprocessableMediaError; StorageFullError
 */
export async function saveEmoji(
  ctx: Ctx,
  { replaces, ...emoji }: NewEmoji & { replaces: boolean },
): Promise<'added' | 'replaced' | 'unchanged'> {
  const { shortcode } = emoji
  if (!isEmojiShortcode(shortcode)) {
    throw new UnprocessableError('A shortcode has 2 to 128 letters a–z, digits and underscores')
  }
  const category = emoji.category === null ? null : cleanText(emoji.category).replace(/\s+/g, ' ').trim() || null
  if (category !== null && category.length > MAX_CATEGORY_CHARACTERS) {
    throw new UnprocessableError(`A category has at most ${MAX_CATEGORY_CHARACTERS} characters`)
  }
  if (!replaces && (await find(ctx.db, { shortcode })).length > 0) return 'unchanged'
  const keys = await storeEmojiImage(ctx, { source: emoji.image })
  try {
    return await ctx.write((tx) => upsertEmoji(tx, { ...emoji, ...keys, category }))
  } catch (err) {
    await ctx.storage.remove({ keys: [keys.image_key, keys.static_image_key] }).catch(() => {})
    throw err
  }
}

async function upsertEmoji(
  tx: Tx,
  { shortcode, category, listed, ...keys }: Omit<NewEmoji, 'image'> & EmojiFiles,
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

async function storeEmojiImage(ctx: Ctx, { source }: { source: MediaSource }): Promise<EmojiFiles> {
  const image = await processEmoji(source)
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

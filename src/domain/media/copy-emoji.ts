import { buffer } from 'node:stream/consumers'
import { NotFoundError, UnprocessableError } from '../../lib/errors.ts'
import type { Ctx } from '../context.ts'
import type { Actor } from '../core/record-audit-entry.ts'
import { getStaffEmoji } from '../emojis/list-staff-emojis.ts'
import { saveEmoji } from '../emojis/save-emoji.ts'
import { findCachedFile } from './remote-cache/find-cached-file.ts'
import { getCachedFile } from './remote-cache/get-cached-file.ts'

/**
 * Copies a remote custom emoji to a local one with the same shortcode. Fetches its image unless it is cached. Returns
 * the id of the copy.
 * @throws NotFoundError; UnprocessableError for a local emoji, if there is a local one with its shortcode, and if its
 *   image is not available; errors of `getCachedFile` and `saveEmoji`
 */
export async function copyEmoji(
  ctx: Ctx,
  { id, by, category }: { id: string; by: Actor; category: string | null },
): Promise<string> {
  const { shortcode, domain } = await getStaffEmoji(ctx, { id })
  if (domain === null) throw new UnprocessableError('The emoji is local already')
  const image = { buffer: await readImage(ctx, id) }
  const emoji = { by, shortcode, image, category, listed: true, replaces: false, copiedFrom: domain }
  const saved = await saveEmoji(ctx, emoji)
  if (saved.outcome === 'unchanged') throw new UnprocessableError(`There is a local emoji :${shortcode}: already`)
  return saved.id
}

async function readImage(ctx: Ctx, id: string): Promise<Buffer> {
  try {
    const { key } = await getCachedFile(ctx, await findCachedFile(ctx, { owner: 'emoji', id, rendition: 'emoji' }))
    const stored = await ctx.storage.open({ key })
    if (stored) return await buffer(stored.stream)
  } catch (err) {
    if (!(err instanceof NotFoundError)) throw err
  }
  throw new UnprocessableError('The image of the emoji is not available')
}

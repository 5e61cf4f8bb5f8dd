import { imageLimits } from '../../../platform/media/images/image-limits.ts'
import { processImage } from '../../../platform/media/images/process-image.ts'
import type { ProcessedImage } from '../../../platform/media/images/rendition.ts'
import type { Ctx } from '../../context.ts'
import { makeMediaName, previewKey } from './media-keys.ts'

/** The stored preview image of an upload. */
export interface Preview {
  key: string
  byteSize: number
  blurhash: string
  /** The part of `meta` that describes it. */
  meta: { small: ProcessedImage['meta']['small']; colors?: ProcessedImage['colours'] }
}

/** Stores the small rendition of an image under a new key. @throws StorageFullError */
export async function storePreview(
  ctx: Pick<Ctx, 'storage'>,
  { image, name }: { image: ProcessedImage; name: string },
): Promise<Preview> {
  const { small, blurhash, meta } = image
  const key = previewKey(name, small.extension)
  await ctx.storage.put({ key, body: small.buffer, contentType: small.contentType })
  return { key, byteSize: small.buffer.length, blurhash, meta: { small: meta.small } }
}

/**
 * Generates previews of uploaded thumbnails (null: none), in their order, and passes them to `work`. If that fails,
 * deletes them again.
 * @throws UnsupportedMediaError; UnprocessableMediaError; StorageFullError
 */
export async function withPreviews<T>(
  ctx: Ctx,
  { paths }: { paths: readonly (string | null)[] },
  work: (previews: (Preview | null)[]) => Promise<T>,
): Promise<T> {
  const previews: (Preview | null)[] = []
  try {
    for (const path of paths) previews.push(path === null ? null : await createPreview(ctx, path))
    return await work(previews)
  } catch (err) {
    const keys = previews.flatMap((preview) => (preview ? [preview.key] : []))
    await ctx.storage.remove({ keys }).catch(() => {})
    throw err
  }
}

/** The colours replace those of the cover of an audio file. */
async function createPreview(ctx: Ctx, path: string): Promise<Preview> {
  const image = await processImage({ path, limits: { maxStoredPixels: imageLimits.maxPreviewPixels } })
  const preview = await storePreview(ctx, { image, name: makeMediaName() })
  return { ...preview, meta: { ...preview.meta, colors: image.colours } }
}

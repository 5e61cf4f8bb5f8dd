import { imageLimits } from '../../platform/media/image-limits.ts'
import { processImage } from '../../platform/media/image.ts'
import type { ProcessedImage } from '../../platform/media/rendition.ts'
import type { Ctx } from '../context.ts'
import { makeMediaName, previewKey } from './keys.ts'

/** A stored picture that stands for an upload. */
export interface Preview {
  key: string
  byteSize: number
  blurhash: string
  /** What clients read of it in `meta`. */
  meta: { small: ProcessedImage['meta']['small']; colors?: ProcessedImage['colours'] }
}

/** Stores the small form of a picture under a key that nobody has seen yet. @throws StorageFull */
export async function storePreview(
  ctx: Pick<Ctx, 'storage'>,
  { picture, name }: { picture: ProcessedImage; name: string },
): Promise<Preview> {
  const { small, blurhash, meta } = picture
  const key = previewKey(name, small.extension)
  await ctx.storage.put({ key, body: small.buffer, contentType: small.contentType })
  return { key, byteSize: small.buffer.length, blurhash, meta: { small: meta.small } }
}

/**
 * Makes previews of the pictures that somebody chose, in their order, null where there is none, and hands them to `work`.
 * Where that fails, they are gone again.
 * @throws UnsupportedMedia · MediaUnprocessable · StorageFull
 */
export async function withPreviews<T>(
  ctx: Ctx,
  { paths }: { paths: readonly (string | null)[] },
  work: (previews: (Preview | null)[]) => Promise<T>,
): Promise<T> {
  const previews: (Preview | null)[] = []
  try {
    for (const path of paths) previews.push(path === null ? null : await makePreview(ctx, path))
    return await work(previews)
  } catch (err) {
    const keys = previews.flatMap((one) => (one ? [one.key] : []))
    await ctx.storage.remove({ keys }).catch(() => {})
    throw err
  }
}

async function makePreview(ctx: Ctx, path: string): Promise<Preview> {
  const picture = await processImage({ path, limits: { maxStoredPixels: imageLimits.maxPreviewPixels } })
  return storePreview(ctx, { picture, name: makeMediaName() })
}

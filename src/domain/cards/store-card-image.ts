import { randomBytes } from 'node:crypto'
import { InsufficientStorageError, UnprocessableError } from '../../lib/errors.ts'
import { processImage } from '../../platform/media/images/process-image.ts'
import type { Ctx } from '../context.ts'
import { fetchLinkedResource } from './fetch-linked-resource.ts'

const MAX_BYTES = 8 * 1_048_576
const IMAGE = /^\s*image\//i

/** The stored image of a card: small, not animated, and newly encoded without any data of the original file. */
export interface CardImage {
  key: string
  blurhash: string
  /** In pixels. */
  width: number
  height: number
}

/**
 * Fetches the image of a page and stores it, so that viewers of a card do not send requests to other servers. Returns
 * null if the image cannot be fetched, is not in a supported format, or does not fit into the storage limit.
 */
export async function fetchCardImage(ctx: Ctx, { url }: { url: string }): Promise<CardImage | null> {
  const response = await fetchLinkedResource(ctx, {
    url,
    accept: 'image/*',
    types: IMAGE,
    maxBytes: MAX_BYTES,
    requireComplete: true,
    media: true,
  })
  return response && storeCardImage(ctx, { buffer: response.body })
}

/**
 * Stores the image of a page. Returns null if its format is not supported, or if it does not fit into the storage
 * limit.
 */
export async function storeCardImage(
  ctx: Pick<Ctx, 'storage' | 'log'>,
  { buffer }: { buffer: Buffer },
): Promise<CardImage | null> {
  const image = await processCardImage(buffer)
  if (!image) return null
  const { small, blurhash } = image
  const name = randomBytes(16).toString('hex')
  const key = `cards/${name.slice(0, 2)}/${name}.${small.extension}`
  try {
    await ctx.storage.put({ key, body: small.buffer, contentType: small.contentType })
  } catch (err) {
    if (!(err instanceof InsufficientStorageError)) throw err
    ctx.log.warn({ err }, 'The image of a preview card was not stored because the storage is full')
    return null
  }
  return { key, blurhash, width: small.width, height: small.height }
}

async function processCardImage(buffer: Buffer): Promise<Awaited<ReturnType<typeof processImage>> | null> {
  try {
    return await processImage({ buffer, limits: { maxBytes: MAX_BYTES } })
  } catch (err) {
    if (err instanceof UnprocessableError) return null
    throw err
  }
}

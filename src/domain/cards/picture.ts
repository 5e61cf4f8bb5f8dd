import { randomBytes } from 'node:crypto'
import { OutOfStorage, Unprocessable } from '../../lib/errors.ts'
import { processImage } from '../../platform/media/image.ts'
import type { Ctx } from '../context.ts'
import { ask } from './ask.ts'

const MAX_BYTES = 8 * 1_048_576
const IMAGE = /^\s*image\//i

/** The picture of a card as it lies here: small, standing still, and nothing of the file itself. */
export interface CardPicture {
  key: string
  blurhash: string
  /** Pixels. */
  width: number
  height: number
}

/**
 * Fetches the picture of a page, and keeps it as one of our own, so that nobody who sees a card asks anybody else for
 * it. Null when it is none that we take, is not to be had, or there is no room for it.
 */
export async function keepPicture(ctx: Ctx, { url }: { url: string }): Promise<CardPicture | null> {
  const answer = await ask(ctx, { url, accept: 'image/*', types: IMAGE, maxBytes: MAX_BYTES, whole: true, media: true })
  return answer && storePicture(ctx, { buffer: answer.body })
}

/** Stores the picture of a page. Returns null if it is none that we take, or there is no room for it. */
export async function storePicture(
  ctx: Pick<Ctx, 'storage' | 'log'>,
  { buffer }: { buffer: Buffer },
): Promise<CardPicture | null> {
  const picture = await readPicture(buffer)
  if (!picture) return null
  const { small, blurhash } = picture
  const name = randomBytes(16).toString('hex')
  const key = `cards/${name.slice(0, 2)}/${name}.${small.extension}`
  try {
    await ctx.storage.put({ key, body: small.buffer, contentType: small.contentType })
  } catch (err) {
    if (!(err instanceof OutOfStorage)) throw err
    ctx.log.warn({ err }, 'there is no room for the picture of a link')
    return null
  }
  return { key, blurhash, width: small.width, height: small.height }
}

async function readPicture(buffer: Buffer): Promise<Awaited<ReturnType<typeof processImage>> | null> {
  try {
    return await processImage({ buffer, limits: { maxBytes: MAX_BYTES } })
  } catch (err) {
    if (err instanceof Unprocessable) return null
    throw err
  }
}

import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { BadRequest, Refusal, TooLarge } from '../../lib/errors.ts'
import { MAX_DOCUMENT_BYTES } from '../wire/parse-document.ts'

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/**
 * The bytes of a delivery without the coding of its transport, of which there are never more than a document may have.
 * @throws TooLarge · BadRequest · Refusal 415 for codings in layers, and those that nobody uses
 */
export async function decodeBody(body: Buffer, encoding: string | undefined): Promise<Buffer> {
  const coding = encoding?.trim().toLowerCase() ?? ''
  if (coding === '' || coding === 'identity') return body
  if (!Object.hasOwn(DECODERS, coding)) throw new Refusal(415, 'The content encoding is not supported')
  try {
    return await DECODERS[coding as keyof typeof DECODERS](body, { maxOutputLength: MAX_DOCUMENT_BYTES })
  } catch (err) {
    throw (err as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE' ? new TooLarge() : new BadRequest()
  }
}

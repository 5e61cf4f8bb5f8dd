import { pipeline, Transform } from 'node:stream'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchFailedError } from './fetch-errors.ts'

/** The value of `Accept-Encoding`. */
export const ACCEPTED_ENCODINGS = 'gzip, br'

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * Returns the decoded body of a response. It fails with FetchFailedError('too-large') if the body exceeds `maxBytes`
 * before or after decoding. Supports a single content coding, as servers use it: several layers occur only in
 * decompression bombs. `verbatim`: no coding is accepted.
 */
export function decodeBody(
  encoded: Readable,
  {
    encoding,
    maxBytes,
    verbatim: identityEncodingOnly = false,
  }: { encoding: string; maxBytes: number; verbatim?: boolean },
): Readable {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length === 0) return pipeline([encoded, limitBytes(maxBytes)], ignoreError) as unknown as Readable
  const decoder = DECODERS[codings[0]!]
  if (identityEncodingOnly || codings.length > 1 || !decoder)
    throw new FetchFailedError('protocol', `a body encoded as ${encoding}`)
  return pipeline([encoded, limitBytes(maxBytes), decoder(), limitBytes(maxBytes)], ignoreError) as unknown as Readable
}

function limitBytes(maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length
      if (bytes > maxBytes) callback(new FetchFailedError('too-large', `more than ${maxBytes} bytes`))
      else callback(null, chunk)
    },
  })
}

/** The reader of the last stream receives the error. */
function ignoreError(): void {}

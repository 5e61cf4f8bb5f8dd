import { pipeline, Transform } from 'node:stream'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchFailed } from './refusals.ts'

/** What we say that we can read. */
export const ACCEPTED_ENCODINGS = 'gzip, br'

const DECODERS: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/**
 * The decoded bytes of an answer, of which there are never more than `maxBytes`, neither before nor after decoding.
 * Its error is FetchFailed('too-large') as soon as there would be more. One coding is understood, as servers use it;
 * codings in layers serve only bombs. `verbatim`: none is understood.
 */
export function readBody(
  raw: Readable,
  { encoding, maxBytes, verbatim = false }: { encoding: string; maxBytes: number; verbatim?: boolean },
): Readable {
  const codings = encoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length === 0) return pipeline([raw, limitBytes(maxBytes)], ignore) as unknown as Readable
  const decoder = DECODERS[codings[0]!]
  if (verbatim || codings.length > 1 || !decoder) throw new FetchFailed('protocol', `a body encoded as ${encoding}`)
  return pipeline([raw, limitBytes(maxBytes), decoder(), limitBytes(maxBytes)], ignore) as unknown as Readable
}

function limitBytes(maxBytes: number): Transform {
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, callback) {
      bytes += chunk.length
      if (bytes > maxBytes) callback(new FetchFailed('too-large', `more than ${maxBytes} bytes`))
      else callback(null, chunk)
    },
  })
}

/** Whoever reads the last stream hears of the error. */
function ignore(): void {}

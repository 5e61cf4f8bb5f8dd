import type { Readable } from 'node:stream'
import { decodeBody } from './decode-body.ts'
import { discardBody } from './discard-body.ts'
import type { DiscardableBody } from './discard-body.ts'
import { FetchFailedError } from './fetch-errors.ts'

interface BodyOptions {
  method: string
  /** Of the response. Names are in lower case. */
  headers: Readonly<Record<string, string>>
  /** Limit of the decoded body. 0: the body is discarded. */
  maxBytes: number
  /** The body must have no content coding. */
  verbatim: boolean
}

/**
 * Returns the decoded body of a response as a stream, which is empty if the response has no body or it is discarded.
 * @throws FetchFailedError for a body that is announced as too large, or in an unknown content coding
 */
export function openBody(
  { body, statusCode }: { body: Readable & DiscardableBody; statusCode: number },
  { method, headers, maxBytes, verbatim }: BodyOptions,
): Readable {
  const length = headers['content-length']
  const isEmpty = statusCode === 204 || statusCode === 304 || length === '0'
  if (maxBytes === 0 || method === 'HEAD' || isEmpty) return discardBody(body, { isEmpty })
  try {
    if (Number(length) > maxBytes) throw new FetchFailedError('too-large', `${length} bytes, more than ${maxBytes}`)
    return decodeBody(body, { encoding: headers['content-encoding'] ?? '', maxBytes, verbatim })
  } catch (err) {
    body.on('error', () => {}).destroy()
    throw err
  }
}

import type { Readable, Writable } from 'node:stream'
import type { MediaSource } from '../identify-media.ts'
import { UnprocessableMediaError, UnsupportedMediaError } from '../media-errors.ts'
import { readHeader } from './decode-image.ts'
import { makeEmoji } from './make-emoji.ts'
import { makeImage } from './make-image.ts'
import { checkImageHeader, makePreview } from './make-preview.ts'
import { makeAvatar, makeProfileHeader } from './make-profile-image.ts'
import { makeSiteIcon } from './make-site-icon.ts'
import { makeThumbnail } from './make-thumbnail.ts'
import { extractBuffers } from './protocol.ts'
import type { DecoderResponse, DecoderRequest } from './protocol.ts'
import { createMessageReader } from './message-reader.ts'

// The process that decodes untrusted images. It has no secrets and no network and cannot write files, and it is killed
// after a damaged image.

const MAX_ERROR_CHARACTERS = 2_000

async function runTask(request: DecoderRequest, source: MediaSource): Promise<object> {
  switch (request.make) {
    case 'header':
      return readHeader(source)
    case 'image':
      return makeImage({ source, limits: request.limits })
    case 'check':
      return checkImageHeader(source)
    case 'preview':
      return makePreview(source)
    case 'avatar':
      return makeAvatar(source)
    case 'profile header':
      return makeProfileHeader(source)
    case 'thumbnail':
      return makeThumbnail(source)
    case 'site icon':
      return makeSiteIcon(source)
    case 'emoji':
      return makeEmoji(source, request)
  }
}

function errorResponse(err: unknown): DecoderResponse {
  if (err instanceof UnsupportedMediaError) return { unsupported: err.message }
  if (err instanceof UnprocessableMediaError) return { unprocessable: { fault: err.fault, text: err.text } }
  const text = err instanceof Error ? (err.stack ?? err.message) : String(err)
  return { broken: text.slice(0, MAX_ERROR_CHARACTERS) }
}

async function serve({ input, output }: { input: Readable; output: Writable }): Promise<void> {
  const reader = createMessageReader(input)
  for (;;) {
    const request = (await reader.readLine()) as DecoderRequest | null
    if (request === null) return
    const source = request.path === null ? { buffer: await reader.readBytes(request.byteSize) } : { path: request.path }
    try {
      const { made, buffers } = extractBuffers(await runTask(request, source))
      const response: DecoderResponse = { made, byteSizes: buffers.map((buffer) => buffer.length) }
      output.write(`${JSON.stringify(response)}\n`)
      for (const buffer of buffers) output.write(buffer)
    } catch (err) {
      output.write(`${JSON.stringify(errorResponse(err))}\n`)
    }
  }
}

await serve({ input: process.stdin, output: process.stdout })

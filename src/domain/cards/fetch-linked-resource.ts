import type { Readable } from 'node:stream'
import { FetchFailedError, FetchRefusedError } from '../../platform/fetch/fetch-errors.ts'
import type { Ctx } from '../context.ts'
import { checkHostAllowed } from '../domain-blocks/check-host-allowed.ts'

const TIMEOUT_MS = 10_000
/** The maximum size of a response of which only the beginning is read. */
const MAX_BYTES = 64 * 1_048_576

export interface LinkedResource {
  body: Buffer
  contentType: string
  /** The final URL, after all redirects. */
  url: string
}

/**
 * Fetches a resource that a preview card needs, also over plain HTTP. Of a longer response only the first `maxBytes`
 * are read; with `requireComplete` it is refused. `media`: the resource is a media file, which domain blocks with
 * `reject_media` forbid. Returns null if the resource cannot be fetched for any reason, because the URL comes from
 * users or remote servers.
 */
export async function fetchLinkedResource(
  ctx: Ctx,
  {
    url,
    accept,
    types,
    maxBytes,
    requireComplete = false,
    media = false,
  }: { url: string; accept: string; types: RegExp; maxBytes: number; requireComplete?: boolean; media?: boolean },
): Promise<LinkedResource | null> {
  try {
    const response = await ctx.fetcher.open({
      url,
      accept,
      headers: { 'accept-language': 'en, *;q=0.5' },
      allowHttp: true,
      identityEncodingOnly: media,
      maxBytes: requireComplete ? maxBytes : MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      background: { sender: 'cards' },
      // The fetcher calls this before every redirect hop, so that blocked hosts are checked for each of them.
      sign: async (request) => {
        await checkHostAllowed(ctx, { url: request.url, media })
        return {}
      },
    })
    const contentType = response.headers['content-type'] ?? ''
    const isAccepted = response.status === 200 && types.test(contentType)
    const body = isAccepted ? await readStart(response.body, maxBytes) : null
    response.body.destroy()
    return body && { body, contentType, url: response.url }
  } catch (err) {
    if (!(err instanceof FetchRefusedError) && !(err instanceof FetchFailedError)) throw err
    ctx.log.debug({ err, url }, 'A linked resource could not be fetched')
    return null
  }
}

async function readStart(body: Readable, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

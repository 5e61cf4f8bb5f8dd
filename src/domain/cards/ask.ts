import type { Readable } from 'node:stream'
import { FetchFailed, FetchRefused } from '../../platform/fetch/refusals.ts'
import type { Ctx } from '../context.ts'
import { refuseHost } from '../moderation/refuse-host.ts'

const TIMEOUT_MS = 10_000
/** Of what an answer may have, whatever of it is read. */
const MAX_BYTES = 64 * 1_048_576

export interface Answer {
  body: Buffer
  contentType: string
  /** Where it came from, after all redirects. */
  url: string
}

/**
 * Asks for something that a card needs, where people link to: also by plain http. Of a longer answer the first
 * `maxBytes` are read, or with `whole` nothing. `media`: a file, which is not taken from every host. Null when there is no such answer, whyever: whoever wrote the link can
 * say what they want.
 */
export async function ask(
  ctx: Ctx,
  {
    url,
    accept,
    types,
    maxBytes,
    whole = false,
    media = false,
  }: { url: string; accept: string; types: RegExp; maxBytes: number; whole?: boolean; media?: boolean },
): Promise<Answer | null> {
  try {
    const answer = await ctx.fetcher.open({
      url,
      accept,
      headers: { 'accept-language': 'en, *;q=0.5' },
      allowHttp: true,
      verbatim: media,
      maxBytes: whole ? maxBytes : MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      background: { sender: 'cards' },
      // Asked before every hop, so it is the one place that sees where each of them leads.
      sign: async (request) => {
        await refuseHost(ctx, { url: request.url, media })
        return {}
      },
    })
    const contentType = answer.headers['content-type'] ?? ''
    const isWanted = answer.status === 200 && types.test(contentType)
    const body = isWanted ? await readStart(answer.body, maxBytes) : null
    answer.body.destroy()
    return body && { body, contentType, url: answer.url }
  } catch (err) {
    if (!(err instanceof FetchRefused) && !(err instanceof FetchFailed)) throw err
    ctx.log.debug({ err, url }, 'a link could not be looked at')
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

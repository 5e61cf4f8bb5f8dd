import type { Fetched, Fetcher } from '../fetch.ts'
import { FetchFailed, FetchRefused } from '../fetch/refusals.ts'

/** A service that translates. Its answers come from outside: whatever is shown of them has to be made clean before. */
export interface Translator {
  /** What readers see as the one who translated. */
  readonly provider: string
  /** From which language into which others, in lower case; `und`: it finds out by itself. @throws TranslationFailed */
  languages(): Promise<ReadonlyMap<string, readonly string[]>>
  /**
   * Translates pieces of HTML, all into one language. `source`: null where nobody knows it.
   * @throws TranslationFailed
   */
  translate(input: { pieces: readonly string[]; source: string | null; target: string }): Promise<Translated>
}

interface Translated {
  /** As many as were given, in their order. */
  pieces: string[]
  /** The language that it was translated from, if the service tells. */
  source: string | null
}

/** Under this name a service finds out the language by itself. */
export const UNKNOWN_LANGUAGE = 'und'

/** Thrown when nothing was translated: all that was agreed on is used up, it came too fast, or there was no good answer. */
export class TranslationFailed extends Error {
  readonly reason: 'quota' | 'haste' | 'answer'

  constructor(reason: TranslationFailed['reason'], message: string) {
    super(message)
    this.name = 'TranslationFailed'
    this.reason = reason
  }
}

const TIMEOUT_MS = 20_000
const MAX_BYTES = 1024 * 1024
const TOO_MANY_REQUESTS = 429

/** Asks the service for JSON. Redirects are not followed: the answer comes from the address in the settings, or not at all. */
export async function askService(
  fetcher: Fetcher,
  {
    url,
    body,
    headers = {},
    quotaStatus,
  }: { url: string; body?: object; headers?: Record<string, string>; quotaStatus: number },
): Promise<unknown> {
  const { status, body: bytes } = await send(fetcher, { url, body, headers })
  if (status === TOO_MANY_REQUESTS) throw new TranslationFailed('haste', `${url} answered ${status}`)
  if (status === quotaStatus) throw new TranslationFailed('quota', `${url} answered ${status}`)
  if (status !== 200) throw new TranslationFailed('answer', `${url} answered ${status}`)
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new TranslationFailed('answer', `${url} answered with something else than JSON`)
  }
}

async function send(
  fetcher: Fetcher,
  { url, body, headers }: { url: string; body: object | undefined; headers: Record<string, string> },
): Promise<Fetched> {
  const all = { ...headers, ...(body && { 'content-type': 'application/json' }) }
  try {
    return await fetcher.request({
      url,
      method: body ? 'POST' : 'GET',
      headers: all,
      accept: 'application/json',
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      redirects: 'none',
      allowHttp: url.startsWith('http:'),
      ...(body && { body: JSON.stringify(body) }),
    })
  } catch (err) {
    if (err instanceof FetchRefused || err instanceof FetchFailed) throw new TranslationFailed('answer', err.message)
    throw err
  }
}

/** The texts of an answer, if it has one for each piece. @throws TranslationFailed */
export function readPieces(texts: unknown, count: number): string[] {
  if (!Array.isArray(texts) || texts.length !== count || !texts.every((text) => typeof text === 'string')) {
    throw new TranslationFailed('answer', 'the service did not translate each piece')
  }
  return texts
}

/** A language as a service names it, in lower case; null for what is no name of one. */
export function readLanguage(value: unknown): string | null {
  return typeof value === 'string' && /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,2}$/i.test(value)
    ? value.toLowerCase().replace('_', '-')
    : null
}

import type { FetchedBody, Fetcher } from '../fetch/fetcher.ts'
import { FetchFailedError, FetchRefusedError } from '../fetch/fetch-errors.ts'

/** A translation service. Its responses are untrusted: callers must sanitize the HTML. */
export interface Translator {
  /** The name of the service that clients display. */
  readonly provider: string
  /** Returns target languages by source language (`readLanguageCode`). `und`: detection. @throws TranslationError */
  listLanguages(): Promise<ReadonlyMap<string, readonly string[]>>
  /**
   * Translates pieces of HTML into one language. `source`: null if unknown.
   * @throws TranslationError
   */
  translate(input: { pieces: readonly string[]; source: string | null; target: string }): Promise<TranslationResult>
}

export interface TranslationResult {
  /** One text for each piece, in their order. */
  texts: string[]
  /** The source language, if the service returns it. */
  source: string | null
}

/** The source language of texts whose language the service detects. */
export const UNKNOWN_LANGUAGE = 'und'

/** Thrown if a translation failed: the quota is exceeded, there were too many requests, or the response is unusable. */
export class TranslationError extends Error {
  readonly reason: 'quota' | 'rate-limit' | 'response'

  constructor(reason: TranslationError['reason'], message: string) {
    super(message)
    this.name = 'TranslationError'
    this.reason = reason
  }
}

const TIMEOUT_MS = 20_000
const MAX_BYTES = 1024 * 1024
const TOO_MANY_REQUESTS = 429

/** Sends a request and parses the JSON response. Does not follow redirects: only the configured address may respond. */
export async function requestJson(
  fetcher: Fetcher,
  {
    url,
    body,
    headers = {},
    quotaStatus,
  }: { url: string; body?: object; headers?: Record<string, string>; quotaStatus: number },
): Promise<unknown> {
  const { status, body: bytes } = await send(fetcher, { url, body, headers })
  if (status === TOO_MANY_REQUESTS) throw new TranslationError('rate-limit', `${url} responded with ${status}`)
  if (status === quotaStatus) throw new TranslationError('quota', `${url} responded with ${status}`)
  if (status !== 200) throw new TranslationError('response', `${url} responded with ${status}`)
  try {
    return JSON.parse(bytes.toString())
  } catch {
    throw new TranslationError('response', `the response of ${url} is not JSON`)
  }
}

async function send(
  fetcher: Fetcher,
  { url, body, headers }: { url: string; body: object | undefined; headers: Record<string, string> },
): Promise<FetchedBody> {
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
    if (err instanceof FetchRefusedError || err instanceof FetchFailedError)
      throw new TranslationError('response', err.message)
    throw err
  }
}

/** Returns the texts of a response. @throws TranslationError unless it has one for each piece */
export function readTexts(texts: unknown, count: number): string[] {
  if (!Array.isArray(texts) || texts.length !== count || !texts.every((text) => typeof text === 'string')) {
    throw new TranslationError('response', 'the service did not translate each piece')
  }
  return texts
}

/** Returns a language code of a service in the usual case, such as `pt-BR` and `zh-Hans`; null if it is invalid. */
export function readLanguageCode(value: unknown): string | null {
  if (typeof value !== 'string' || !/^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,2}$/i.test(value)) return null
  const [language = '', ...subtags] = value.toLowerCase().split(/[-_]/)
  return [language, ...subtags.map((subtag) => inUsualCase(subtag))].join('-')
}

/** Codes of regions (two characters) are written in capitals, those of scripts (four) with an initial capital. */
function inUsualCase(subtag: string): string {
  if (subtag.length === 2) return subtag.toUpperCase()
  return /^[a-z]{4}$/.test(subtag) ? subtag[0]!.toUpperCase() + subtag.slice(1) : subtag
}

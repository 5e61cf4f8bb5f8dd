import { createFetcher } from '../fetch/fetcher.ts'
import type { Fetcher, FetcherOptions } from '../fetch/fetcher.ts'
import { PRIVATE_RANGES } from '../fetch/private-ranges.ts'

const WEB_PORTS = [80, 443]
const MAX_BYTES = 1_000_000
const TIMEOUT_MS = 10_000

/**
 * Creates a fetcher for the servers of providers, which administrators configure: they may be at private addresses, and
 * at the ports of the configured URLs.
 */
export function createTrustedFetcher(options: FetcherOptions, { urls }: { urls: readonly string[] }): Fetcher {
  const ports = urls.map((url) => Number(new URL(url).port)).filter((port) => port !== 0)
  const allowedPrivate = [...(options.allowedPrivate ?? []), ...PRIVATE_RANGES]
  return createFetcher({ ...options, allowedPrivate, ports: [...WEB_PORTS, ...ports] })
}

/** Returns a function like `fetch` that sends requests by a fetcher, for protocol libraries. Follows no redirects. */
export function fetchWith(
  fetcher: Fetcher,
  { allowHttp }: { allowHttp: boolean },
): (url: string, options: { method: string; headers: Record<string, string>; body?: unknown }) => Promise<Response> {
  return async (url, { method, headers, body }) => {
    const response = await fetcher.request({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body instanceof URLSearchParams || typeof body === 'string' ? { body: body.toString() } : {}),
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      redirects: 'none',
      allowHttp,
    })
    const isEmpty = response.status === 204 || response.status === 304
    const converted = new Response(isEmpty ? null : new Uint8Array(response.body), {
      status: response.status,
      headers: { ...response.headers },
    })
    // The constructor leaves it empty, and the errors of the libraries contain the response.
    return Object.defineProperty(converted, 'url', { value: url })
  }
}

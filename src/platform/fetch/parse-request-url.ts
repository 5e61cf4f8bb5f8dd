import { FetchRefusedError } from './fetch-errors.ts'

/** The address to which requests for a name are sent in tests. */
export interface TestHost {
  readonly ip: string
  readonly port: number
}

export type TestHosts = ReadonlyMap<string, TestHost>

const MAX_URL_LENGTH = 4096

/** Names that public resolvers do not know. A query would only disclose what a user reads. */
const OVERLAY_NETWORKS = /\.(onion|i2p)$/

export interface UrlRules {
  /** Also allows http. */
  allowHttp: boolean
  ports: readonly number[]
  testHosts: TestHosts
}

/**
 * Parses the URL of an outbound request. All further steps use the normalized URL.
 * @throws FetchRefusedError if the text is no URL, is ambiguous (parsers would interpret it differently), or is not
 *   allowed
 */
export function parseRequestUrl(text: string, { allowHttp, ports, testHosts }: UrlRules): URL {
  const url = parseUnambiguous(text)
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    throw new FetchRefusedError('scheme', url.protocol)
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text)) {
    throw new FetchRefusedError('credentials', url.host)
  }
  // A trailing dot means the same host to the resolver, but not to certificates and comparisons.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '')
  const port = Number(url.port)
  if (url.port !== '' && !ports.includes(port) && port !== testHosts.get(url.hostname)?.port) {
    throw new FetchRefusedError('port', url.host)
  }
  if (OVERLAY_NETWORKS.test(url.hostname)) throw new FetchRefusedError('address', url.hostname)
  url.hash = ''
  return url
}

/** Returns the URL of a redirect. @throws FetchRefusedError if it is ambiguous or no URL */
export function resolveRedirect(location: string, base: URL): string {
  if (isAmbiguous(location)) throw new FetchRefusedError('url', location)
  if (!URL.canParse(location, base)) throw new FetchRefusedError('url', location)
  return new URL(location, base).href
}

function parseUnambiguous(text: string): URL {
  if (text.length > MAX_URL_LENGTH || isAmbiguous(text)) throw new FetchRefusedError('url', text)
  if (!URL.canParse(text)) throw new FetchRefusedError('url', text)
  const url = new URL(text)
  if (/^https?:$/.test(url.protocol) && !/^https?:\/\/[^/]/i.test(text)) throw new FetchRefusedError('url', text)
  return url
}

/** The URL parser drops tabs and line ends and treats a backslash as a slash. Other parsers do not. */
function isAmbiguous(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- searches for control characters
  return /[\u0000-\u0020\u007F\\]/.test(text)
}

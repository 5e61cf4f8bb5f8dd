import { FetchRefused } from './refusals.ts'

/** Where requests for a name go instead, in tests. */
export interface TestHost {
  readonly ip: string
  readonly port: number
}

export type TestHosts = ReadonlyMap<string, TestHost>

const MAX_URL_LENGTH = 4096

/** Names that no public resolver answers for; asking one would only tell it what somebody reads. */
const CLOSED_NETWORKS = /\.(onion|i2p)$/

export interface TargetRules {
  /** Plain http beside https. */
  allowHttp: boolean
  ports: readonly number[]
  testHosts: TestHosts
}

/**
 * Reads the address of an outbound request, in the one spelling that is then used for everything.
 * @throws FetchRefused for what is no URL, is meant to be read differently by different readers, or is not allowed
 */
export function readTarget(text: string, { allowHttp, ports, testHosts }: TargetRules): URL {
  const url = parse(text)
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    throw new FetchRefused('scheme', url.protocol)
  if (url.username !== '' || url.password !== '' || /^https?:\/\/[^/?#]*@/i.test(text)) {
    throw new FetchRefused('credentials', url.host)
  }
  // A dot at the end means the same host to the resolver, but neither to certificates nor to comparisons.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.replace(/\.+$/, '')
  const port = Number(url.port)
  if (url.port !== '' && !ports.includes(port) && port !== testHosts.get(url.hostname)?.port) {
    throw new FetchRefused('port', url.host)
  }
  if (CLOSED_NETWORKS.test(url.hostname)) throw new FetchRefused('address', url.hostname)
  url.hash = ''
  return url
}

/** The address that a redirect leads to. @throws FetchRefused as `readTarget` does for what is written ambiguously */
export function resolveLocation(location: string, base: URL): string {
  if (isAmbiguous(location)) throw new FetchRefused('url', location)
  if (!URL.canParse(location, base)) throw new FetchRefused('url', location)
  return new URL(location, base).href
}

function parse(text: string): URL {
  if (text.length > MAX_URL_LENGTH || isAmbiguous(text)) throw new FetchRefused('url', text)
  if (!URL.canParse(text)) throw new FetchRefused('url', text)
  const url = new URL(text)
  if (/^https?:$/.test(url.protocol) && !/^https?:\/\/[^/]/i.test(text)) throw new FetchRefused('url', text)
  return url
}

/** The parser drops tabs and line ends and takes a backslash for a slash; other readers don't. */
function isAmbiguous(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- it is what is looked for
  return /[\u0000-\u0020\u007F\\]/.test(text)
}

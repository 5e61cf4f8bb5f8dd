import { lookup as lookUp, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { openHostsFile } from './hosts-file.ts'
import type { FindInHostsFile } from './hosts-file.ts'

export interface ResolvedAddress {
  address: string
  family: number
}

/** Returns all addresses of a name. */
export type Lookup = (hostname: string) => Promise<ResolvedAddress[]>

/** Time limit of a lookup. The complete connection may take 5 seconds. */
const LOOKUP_MS = 4_500

/** Time limit and number of the queries to a name server that does not respond. */
const TRY_MS = 1_500
const TRIES = 3

/** How long the results of one address family wait for the other: some name servers never respond to AAAA queries. */
const OTHER_FAMILY_MS = 500

/** Maximum of concurrent lookups. Each has its own socket. */
const MAX_CONCURRENT_LOOKUPS = 500

/**
 * Returns a function that looks up names in the hosts file and then in DNS, with a time limit. It does not use
 * `getaddrinfo`, which would block one of the four threads of libuv's pool until the name server responds; these
 * threads also sign requests and read files. `servers`: name servers instead of those of the system (`ip:port`), for
 * tests.
 */
export function createLookup({
  servers = null,
  timeoutMs = LOOKUP_MS,
  findInHostsFile = openHostsFile(),
}: { servers?: readonly string[] | null; timeoutMs?: number; findInHostsFile?: FindInHostsFile } = {}): Lookup {
  let running = 0
  return async (hostname) => {
    const listed = await findInHostsFile(hostname)
    if (listed.length > 0) return listed.map((address) => ({ address, family: isIP(address) }))
    if (running >= MAX_CONCURRENT_LOOKUPS) throw new Error('Too many concurrent DNS lookups')
    running += 1
    try {
      return await query(hostname, { servers, timeoutMs })
    } finally {
      running -= 1
    }
  }
}

/** Looks up names with the system's resolver. Only for host names from the settings of this server. */
export const lookupWithSystemResolver: Lookup = async (hostname) => lookUp(hostname, { all: true, order: 'verbatim' })

/**
 * Each lookup has its own resolver, which reads the current name servers of the system and can be cancelled separately.
 * IPv4 addresses come first, because a machine without IPv6 also receives IPv6 addresses.
 */
async function query(
  hostname: string,
  { servers, timeoutMs }: { servers: readonly string[] | null; timeoutMs: number },
): Promise<ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: TRY_MS, maxTimeout: TRY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const timers = [setTimeout(() => resolver.cancel(), timeoutMs)]
  const resolveFamily = async (family: 4 | 6): Promise<ResolvedAddress[]> => {
    const addresses = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname))
    timers.push(setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS))
    return addresses.map((address) => ({ address, family }))
  }
  try {
    const results = await Promise.allSettled([resolveFamily(4), resolveFamily(6)])
    const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    const [failed] = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []))
    if (found.length === 0 && failed) throw failed
    return found
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}

import { lookup as lookUp, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { openHostsFile } from './hosts-file.ts'
import type { FindInHostsFile } from './hosts-file.ts'

export interface ResolvedAddress {
  address: string
  family: number
}

/** Returns every address of a name. */
export type Lookup = (hostname: string) => Promise<ResolvedAddress[]>

/** A name that has no answer by then is given up: a connection may take 5 seconds for everything. */
const LOOKUP_MS = 4_500

/** A name server that does not answer is asked again, up to three times. */
const TRY_MS = 1_500
const TRIES = 3

/** How long addresses of one family wait for those of the other: some name servers never answer for IPv6. */
const OTHER_FAMILY_MS = 500

/** Lookups at once, each with a socket of its own. */
const MAX_AT_ONCE = 500

/**
 * Looks names up by the hosts file and then by DNS, with a time limit, and without the system's `getaddrinfo`: that
 * function holds one of the four threads of libuv's pool, which also sign requests and read files, until the name server
 * answers. `servers`: name servers instead of those of the system (`ip:port`), for tests.
 */
export function createLookup({
  servers = null,
  timeoutMs = LOOKUP_MS,
  findInHostsFile = openHostsFile(),
}: { servers?: readonly string[] | null; timeoutMs?: number; findInHostsFile?: FindInHostsFile } = {}): Lookup {
  let atOnce = 0
  return async (hostname) => {
    const known = await findInHostsFile(hostname)
    if (known.length > 0) return known.map((address) => ({ address, family: isIP(address) }))
    if (atOnce >= MAX_AT_ONCE) throw new Error('Too many names are being looked up')
    atOnce += 1
    try {
      return await query(hostname, { servers, timeoutMs })
    } finally {
      atOnce -= 1
    }
  }
}

/** Looks names up as other programs on this machine do: for addresses from the settings of this server only. */
export const lookupBySystem: Lookup = async (hostname) => lookUp(hostname, { all: true, order: 'verbatim' })

/**
 * A resolver for each lookup: it reads the system's name servers as they are now, and can be cancelled alone. IPv4 comes
 * first, since a machine without IPv6 may still be given addresses of it.
 */
async function query(
  hostname: string,
  { servers, timeoutMs }: { servers: readonly string[] | null; timeoutMs: number },
): Promise<ResolvedAddress[]> {
  const resolver = new Resolver({ timeout: TRY_MS, maxTimeout: TRY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const timers = [setTimeout(() => resolver.cancel(), timeoutMs)]
  const ask = async (family: 4 | 6): Promise<ResolvedAddress[]> => {
    const addresses = await (family === 4 ? resolver.resolve4(hostname) : resolver.resolve6(hostname))
    timers.push(setTimeout(() => resolver.cancel(), OTHER_FAMILY_MS))
    return addresses.map((address) => ({ address, family }))
  }
  try {
    const answers = await Promise.allSettled([ask(4), ask(6)])
    const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    const [failed] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as Error] : []))
    if (found.length === 0 && failed) throw failed
    return found
  } finally {
    for (const timer of timers) clearTimeout(timer)
  }
}

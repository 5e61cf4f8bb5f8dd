import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises'

/**
 * Returns the host names of the mail servers of a domain (MX records). Empty: the domain has only an address, to which
 * mail is sent then (RFC 5321 §5.1), or the lookup failed. `no mail`: the domain does not exist, has neither kind of
 * record, or declares that it receives no mail (RFC 7505).
 */
export type FindMailHosts = (domain: string) => Promise<readonly string[] | 'no mail'>

/** Time limit of a lookup: a user waits for it. */
const LOOKUP_MS = 3_000

/** Time limit and number of the queries to a name server that does not respond. */
const TRY_MS = 1_000
const TRIES = 3

/** Maximum of concurrent lookups. Each has its own socket. */
const MAX_CONCURRENT_LOOKUPS = 100

/** `servers`: name servers instead of those of the system (`ip:port`), for tests. */
export function createMailHostFinder({
  servers = null,
  timeoutMs = LOOKUP_MS,
}: { servers?: readonly string[] | null; timeoutMs?: number } = {}): FindMailHosts {
  let running = 0
  return async (domain) => {
    if (running >= MAX_CONCURRENT_LOOKUPS) return []
    running += 1
    const resolver = new Resolver({ timeout: TRY_MS, maxTimeout: TRY_MS, tries: TRIES })
    const timer = setTimeout(() => resolver.cancel(), timeoutMs)
    try {
      if (servers) resolver.setServers(servers)
      return await query(resolver, domain)
    } catch {
      return []
    } finally {
      clearTimeout(timer)
      running -= 1
    }
  }
}

/** @throws Error if a lookup fails */
async function query(resolver: Resolver, domain: string): Promise<readonly string[] | 'no mail'> {
  const records = await recordsOf(resolver.resolveMx(domain))
  // The name of the record of RFC 7505 is the root, which is an empty text here.
  const hosts = records.map(({ exchange }) => exchange).filter((exchange) => exchange !== '' && exchange !== '.')
  if (hosts.length > 0) return hosts
  if (records.length > 0) return 'no mail'
  const addresses = await Promise.all([recordsOf(resolver.resolve4(domain)), recordsOf(resolver.resolve6(domain))])
  return addresses.flat().length > 0 ? [] : 'no mail'
}

/** Returns the records; none if the name server responds that there are none. @throws Error if the lookup fails */
async function recordsOf<Row>(lookup: Promise<Row[]>): Promise<Row[]> {
  return lookup.catch((err: NodeJS.ErrnoException) => {
    if (err.code === NODATA || err.code === NOTFOUND) return []
    throw err
  })
}

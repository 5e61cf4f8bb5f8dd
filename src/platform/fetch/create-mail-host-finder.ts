import { Resolver } from 'node:dns/promises'

/** Returns the host names of the mail servers of a domain (MX records); none if they cannot be resolved. */
export type FindMailHosts = (domain: string) => Promise<readonly string[]>

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
      return (await resolver.resolveMx(domain)).map(({ exchange }) => exchange)
    } catch {
      return []
    } finally {
      clearTimeout(timer)
      running -= 1
    }
  }
}

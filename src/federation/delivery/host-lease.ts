import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Db } from '../../platform/db/connection.ts'

/**
 * How long a lease of a host lasts unless it is renewed: the hosts of a process that dies become free after this time.
 */
export const LEASE_SECONDS = 4
const RENEW_MS = 1_000

/** The leases that this process renews while it delivers to their hosts. */
interface ActiveLeases {
  domains: Set<string>
  timer: NodeJS.Timeout
}

const activeLeases = new WeakMap<Db, ActiveLeases>()

// A row that another transaction has locked is skipped until the next renewal, so that it never delays the others.
const renew = statement<{ params: { domains: readonly string[] } }>(
  `update hosts set leased_until = now() + interval '${LEASE_SECONDS} seconds'
   where domain in (select domain from hosts where domain = any($domains)
     and leased_until > now() for no key update skip locked)`,
)

/** Keeps renewing this process's lease of a host until the returned function is called. */
export function keepLeaseRenewed(ctx: Pick<Ctx, 'db' | 'log'>, { domain }: { domain: string }): () => void {
  const leases = activeLeases.get(ctx.db) ?? startRenewalTimer(ctx)
  leases.domains.add(domain)
  return () => {
    leases.domains.delete(domain)
    if (leases.domains.size > 0) return
    clearInterval(leases.timer)
    activeLeases.delete(ctx.db)
  }
}

function startRenewalTimer({ db, log }: Pick<Ctx, 'db' | 'log'>): ActiveLeases {
  const domains = new Set<string>()
  const timer = setInterval(() => {
    renew(db, { domains: [...domains] }).catch((err: unknown) => log.warn({ err }, 'Host leases could not be renewed'))
  }, RENEW_MS).unref()
  const leases = { domains, timer }
  activeLeases.set(db, leases)
  return leases
}

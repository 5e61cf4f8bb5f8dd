import type { Ctx } from '../../domain/context.ts'
import { statement } from '../../platform/db/statement.ts'
import type { Db } from '../../platform/db/connect.ts'

/** A process that dies loses the hosts that it held after this time, unless a hold is renewed before. */
export const HOLD_SECONDS = 4
const RENEW_MS = 1_000

/** Holds that this process renews as long as it delivers there. */
interface Holds {
  domains: Set<string>
  timer: NodeJS.Timeout
}

const holdsOf = new WeakMap<Db, Holds>()

// A row that is just being changed is left for the next time, so that one of them never delays the others.
const renew = statement<{ params: { domains: readonly string[] } }>(
  `update hosts set held_until = now() + interval '${HOLD_SECONDS} seconds'
   where domain in (select domain from hosts where domain = any($domains)
     and held_until > now() for no key update skip locked)`,
)

/** Renews the hold that this process has on a host, until the function that it returns is called. */
export function renewHold(ctx: Pick<Ctx, 'db' | 'log'>, { domain }: { domain: string }): () => void {
  const holds = holdsOf.get(ctx.db) ?? begin(ctx)
  holds.domains.add(domain)
  return () => {
    holds.domains.delete(domain)
    if (holds.domains.size > 0) return
    clearInterval(holds.timer)
    holdsOf.delete(ctx.db)
  }
}

function begin({ db, log }: Pick<Ctx, 'db' | 'log'>): Holds {
  const domains = new Set<string>()
  const timer = setInterval(() => {
    renew(db, { domains: [...domains] }).catch((err: unknown) => log.warn({ err }, 'host leases could not be renewed'))
  }, RENEW_MS).unref()
  const holds = { domains, timer }
  holdsOf.set(db, holds)
  return holds
}

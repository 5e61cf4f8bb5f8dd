import type { Ctx } from '../../../domain/context.ts'
import { isFederating } from '../../../domain/domain-blocks/federating-domain.ts'
import { canonicalDomain } from '../../../lib/usernames.ts'
import type { FetchedBody, SignRequest } from '../../../platform/fetch/fetcher.ts'
import type { FetchBudget } from './budget.ts'
import { LocalUrlError, RemoteBusyError, RemoteGoneError, RemoteError } from './remote-errors.ts'

/** The 4xx statuses that ask for a later retry. */
const BUSY_STATUSES = new Set([408, 425, 429])

/**
 * Sends a GET request for a small response to a remote server. It refuses hosts with which this server
 * does not federate and this server itself, also as targets of redirects.
 * @throws RemoteError · RemoteGoneError · RemoteBusyError · FetchRefusedError · FetchFailedError · BudgetExceededError
 *   · PostponedError in jobs
 */
export async function requestRemote(
  ctx: Ctx,
  {
    url,
    accept,
    maxBytes,
    budget,
    sign,
  }: { url: string; accept: string; maxBytes: number; budget: FetchBudget; sign?: SignRequest },
): Promise<FetchedBody> {
  const { timeoutMs } = budget.spend()
  const request = ctx.fetcher.request({
    url,
    accept,
    maxBytes,
    timeoutMs,
    background: budget.background,
    // The fetcher calls this before every hop, so it is the one place where the target of each redirect is known.
    sign: async (hop) => {
      await checkHostAllowed(ctx, hop.url)
      return sign ? sign(hop) : {}
    },
  })
  const response = await request.catch((err: unknown) => {
    throw err instanceof Error && err.cause instanceof RemoteError ? err.cause : err
  })
  const { status } = response
  if (status === 404 || status === 410) throw new RemoteGoneError(response.url, { isPermanent: status === 410 })
  if (status >= 500 || BUSY_STATUSES.has(status)) throw new RemoteBusyError(response.url, status)
  if (status !== 200) throw new RemoteError(`${response.url} responded with ${status}`)
  return response
}

/**
 * Checks that a host may be requested.
 * @throws LocalUrlError for this server · RemoteError for an invalid host, and hosts with which it does not federate
 */
export async function checkHostAllowed(ctx: Pick<Ctx, 'db' | 'config'>, url: string): Promise<void> {
  const domain = URL.canParse(url) ? canonicalDomain(new URL(url).host, { keepPort: true }) : null
  if (domain === null) throw new RemoteError(`${url} has no host`)
  if (isLocalDomain(ctx, domain)) throw new LocalUrlError(url)
  if (!(await isFederating(ctx, { domain }))) throw new RemoteError(`${domain} is suspended or not allowed`)
}

/** Returns whether a canonical domain is the web domain or the local domain of this server. */
export function isLocalDomain({ config }: Pick<Ctx, 'config'>, domain: string): boolean {
  return domain === config.webDomain || domain === config.localDomain
}

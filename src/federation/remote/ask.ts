import type { Ctx } from '../../domain/context.ts'
import { isDomainSuspended } from '../../domain/moderation/domain-blocks.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import type { Fetched, SignRequest } from '../../platform/fetch.ts'
import type { Budget } from './budget.ts'
import { RemoteBusy, RemoteGone, RemoteRefusal } from './refusals.ts'

/** Answers that say: later. */
const BUSY = new Set([408, 425, 429])

/**
 * Asks another server for something small. No host is asked that is blocked, or our own, wherever redirects lead.
 * @throws RemoteRefusal · RemoteGone · RemoteBusy · FetchRefused · FetchFailed · BudgetSpent · Postponed for work of jobs
 */
export async function askRemote(
  ctx: Ctx,
  {
    url,
    accept,
    maxBytes,
    budget,
    sign,
  }: { url: string; accept: string; maxBytes: number; budget: Budget; sign?: SignRequest },
): Promise<Fetched> {
  const { timeoutMs } = budget.spend()
  const request = ctx.fetcher.request({
    url,
    accept,
    maxBytes,
    timeoutMs,
    background: budget.background,
    // Asked before every hop, so it is the one place that sees where each of them leads.
    sign: async (hop) => {
      await refuseHost(ctx, hop.url)
      return sign ? sign(hop) : {}
    },
  })
  const answer = await request.catch((err: unknown) => {
    throw err instanceof Error && err.cause instanceof RemoteRefusal ? err.cause : err
  })
  const { status } = answer
  if (status === 404 || status === 410) throw new RemoteGone(answer.url, { forEver: status === 410 })
  if (status >= 500 || BUSY.has(status)) throw new RemoteBusy(answer.url, status)
  if (status !== 200) throw new RemoteRefusal(`${answer.url} answered ${status}`)
  return answer
}

/** @throws RemoteRefusal for hosts that nothing is asked of */
export async function refuseHost(ctx: Pick<Ctx, 'db' | 'config'>, url: string): Promise<void> {
  const domain = URL.canParse(url) ? canonicalDomain(new URL(url).host, { keepPort: true }) : null
  if (domain === null) throw new RemoteRefusal(`${url} has no host`)
  if (isOurs(ctx, domain)) throw new RemoteRefusal(`${domain} is this server`)
  if (await isDomainSuspended(ctx, { domain })) throw new RemoteRefusal(`${domain} is blocked`)
}

/** Whether a canonical domain is one of our own names. */
export function isOurs({ config }: Pick<Ctx, 'config'>, domain: string): boolean {
  return domain === config.webDomain || domain === config.localDomain
}

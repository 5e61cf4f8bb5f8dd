import { RemoteBusy } from './refusals.ts'

/**
 * Requests at once to a host that did not answer the last time, or was never asked, by work that nobody waits for. Each
 * may take its full time, so they must never hold all the hands of the worker.
 */
const DOUBTFUL_AT_ONCE = 4

/** Hosts that are remembered at once. */
const MAX_HOSTS = 10_000

interface Host {
  asked: number
  answers: boolean
}

const hostsOf = new WeakMap<object, Map<string, Host>>()

/** Asks a host, unless too many ask it already in vain. `of`: what is the same for all who share the hands. @throws RemoteBusy */
export async function lendHand<T>({ of, host }: { of: object; host: string }, ask: () => Promise<T>): Promise<T> {
  let hosts = hostsOf.get(of)
  if (!hosts) hostsOf.set(of, (hosts = new Map()))
  const known = hosts.get(host) ?? { asked: 0, answers: false }
  if (!known.answers && known.asked >= DOUBTFUL_AT_ONCE) throw new RemoteBusy(host, 'nothing yet')
  hosts.delete(host)
  hosts.set(host, known)
  if (hosts.size > MAX_HOSTS) hosts.delete(hosts.keys().next().value!)
  known.asked += 1
  try {
    const answer = await ask()
    known.answers = true
    return answer
  } catch (err) {
    known.answers = false
    throw err
  } finally {
    known.asked -= 1
  }
}

import type { Command } from 'commander'
import { findHost, listHosts, resetHost } from '../domain/deliveries/hosts.ts'
import type { HostReport } from '../domain/deliveries/hosts.ts'
import { findDeliveriesAbout, listTroubledDeliveries } from '../domain/deliveries/list.ts'
import type { DeliveryReport } from '../domain/deliveries/list.ts'
import { retryDeliveries } from '../domain/deliveries/retry.ts'
import { NotFound } from '../lib/errors.ts'
import { canonicalDomain } from '../lib/usernames.ts'
import { needsData } from './data-use.ts'
import { Halt } from './failure.ts'
import type { Run } from './open.ts'
import { readLimit } from './read-limit.ts'

const EXPLANATION = `
A host that does not answer gets a growing backoff. After failures on seven days it is unavailable and gets no new
deliveries until it sends a request or is reset. A delivery is retried for a week. Successful deliveries are listed for a
day, failed ones for a week.`

/** How much of what failed is shown of one host. */
const TROUBLED_SHOWN = 20

/** `linnet deliveries`: what is on its way to other servers. */
export function deliveriesCommand(program: Command, run: Run): void {
  const deliveries = needsData(program.command('deliveries'))
    .description('show and retry deliveries to other servers')
    .addHelpText('after', EXPLANATION)
    .option('--limit <number>', 'maximum number of hosts', readLimit, 50)
    .action(({ limit }: { limit: number }) =>
      run(async (ctx) => {
        const hosts = await listHosts(ctx, { limit, now: ctx.now() })
        const width = Math.max(4, ...hosts.map(({ domain }) => domain.length))
        console.log(row(width, 'HOST', ['WAITING', 'DELIVERED', 'REFUSED', 'GIVEN UP'], 'STATE'))
        for (const host of hosts) {
          const counts = [host.waiting, host.delivered, host.refused, host.givenUp]
          console.log(row(width, host.domain, counts, [stateOf(host), host.lastError].filter(Boolean).join(': ')))
        }
      }),
    )
  needsData(deliveries.command('status <status>'))
    .description('list the deliveries about a post, given its id or URL')
    .action((about: string) =>
      run(async (ctx) => {
        const found = await findDeliveriesAbout(ctx, { about })
        if (found.length === 0) throw new Halt(`There are no deliveries of ${about}`)
        let uri = ''
        for (const delivery of found) {
          if (delivery.uri !== uri) console.log(`${delivery.createdAt.toISOString()}  ${delivery.uri}`)
          ;({ uri } = delivery)
          console.log(`  ${describe(delivery)}`)
        }
      }),
    )
  needsData(deliveries.command('host <domain>'))
    .description('show the state of a host and its failed deliveries')
    .action((name: string) =>
      run(async (ctx) => {
        const domain = readDomain(name)
        for (const [label, value] of factsOf(await known(findHost(ctx, { domain, now: ctx.now() }), domain))) {
          console.log(`${label.padEnd(15)}${value}`)
        }
        for (const delivery of await listTroubledDeliveries(ctx, { domain, limit: TROUBLED_SHOWN })) {
          console.log(`${describe(delivery)}  ${delivery.uri}`)
        }
      }),
    )
  needsData(deliveries.command('retry [domain]'))
    .description('retry waiting and failed deliveries now')
    .option('--all', 'of all hosts', false)
    .action((name: string | undefined, { all }: { all: boolean }) =>
      run(async (ctx) => {
        if (all === (name !== undefined)) throw new Halt('Specify either a host or --all')
        const domain = name === undefined ? null : readDomain(name)
        if (domain !== null) await refuseUnavailable(known(findHost(ctx, { domain, now: ctx.now() }), domain))
        const count = await ctx.write((tx) => retryDeliveries(tx, { domain }))
        console.log(count === 1 ? '1 delivery will be retried' : `${count} deliveries will be retried`)
      }),
    )
  needsData(deliveries.command('reset <domain>'))
    .description('reset the failures of a host so that it gets deliveries again')
    .action((name: string) =>
      run(async (ctx) => {
        const domain = readDomain(name)
        await known(
          ctx.write((tx) => resetHost(tx, { domain })),
          domain,
        )
        console.log('OK')
      }),
    )
}

function readDomain(text: string): string {
  const domain = canonicalDomain(text, { keepPort: true })
  if (domain === null) throw new Halt(`"${text}" is not a domain`)
  return domain
}

async function known<T>(work: Promise<T>, domain: string): Promise<T> {
  try {
    return await work
  } catch (err) {
    throw err instanceof NotFound ? new Halt(`There were no deliveries to ${domain}`) : err
  }
}

async function refuseUnavailable(host: Promise<HostReport>): Promise<void> {
  const { domain, unavailableSince } = await host
  if (unavailableSince) throw new Halt(`${domain} is unavailable; reset it first`)
}

function row(width: number, host: string, counts: readonly (string | number)[], state: string): string {
  const columns = counts.map((count) => String(count).padStart(11))
  return `${host.padEnd(width)}${columns.join('')}  ${state}`
}

function stateOf({ failuresInARow, restsUntil, unavailableSince }: HostReport): string {
  if (unavailableSince) return `unavailable since ${unavailableSince.toISOString()}`
  if (restsUntil) return `backoff until ${restsUntil.toISOString()}`
  return failuresInARow > 0 ? `failed ${failuresInARow} times in a row` : 'ok'
}

function factsOf(host: HostReport): [string, string][] {
  return [
    ['state', stateOf(host)],
    ['waiting', String(host.waiting)],
    ['delivered', String(host.delivered)],
    ['refused', String(host.refused)],
    ['given up', String(host.givenUp)],
    ['failures', `${host.failuresInARow} in a row, on ${host.failingDays} days`],
    ['last error', host.lastError ?? 'none'],
    ['last delivery', host.lastDeliveredAt?.toISOString() ?? 'never'],
    ['last received', host.lastHeardAt?.toISOString() ?? 'never'],
    ['signatures', host.signsWith === 'cavage' ? 'draft-cavage' : 'RFC 9421'],
  ]
}

/** State, tries, last answer, inbox, and when it is tried again. */
function describe({ state, attempts, lastStatus, lastError, inboxUrl, nextTryAt }: DeliveryReport): string {
  const answer = lastStatus === null ? (lastError ?? '-') : `HTTP ${lastStatus}`
  const facts = [state.replace('_', ' ').padEnd(9), `${attempts}×`.padEnd(3), answer.padEnd(8), inboxUrl]
  return [...facts, ...(state === 'waiting' ? [`next try ${nextTryAt.toISOString()}`] : [])].join('  ')
}

import type { Command } from 'commander'
import { findHost, listHosts } from '../../domain/deliveries/host-reports.ts'
import type { HostReport } from '../../domain/deliveries/host-reports.ts'
import { findDeliveriesOfStatus, listUndelivered } from '../../domain/deliveries/list-deliveries.ts'
import type { DeliveryReport } from '../../domain/deliveries/list-deliveries.ts'
import { resetHost, retryAllHosts, retryHost } from '../../domain/deliveries/manage-host.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { allowJson, printResult } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { renderAdminDeliveryHost } from '../../render/admin/federation/render-admin-delivery-host.ts'
import { requireData } from '../data-use.ts'
import { parseDomain } from '../input/read-domain.ts'
import { CommandError } from '../command-error.ts'
import type { RunCommand } from '../run-command.ts'
import { readLimit } from '../input/read-limit.ts'

const HELP = `
A host that does not answer gets a growing backoff. After failures on seven days it is unavailable and gets no new
deliveries until it sends a request or is reset. A pending delivery is retried for a week, then it is abandoned; a
delivery that the host refuses for good is rejected. Delivered ones are listed for a day, all others for a week.`

/** How many pending, rejected and abandoned deliveries of a host are listed. */
const MAX_LISTED = 20

/** Adds `linnet deliveries`, which shows and retries deliveries to other servers. */
export function deliveriesCommand(program: Command, run: RunCommand): void {
  const deliveries = allowJson(requireData(program.command('deliveries')))
    .description('show and retry deliveries to other servers')
    .addHelpText('after', HELP)
    .option('--limit <number>', 'maximum number of hosts', readLimit, 50)
    .action(({ limit, json }: OutputOptions & { limit: number }) =>
      run(async (ctx) => {
        const hosts = await listHosts(ctx, { limit, now: ctx.now() })
        printResult({ json }, { result: hosts.map(renderAdminDeliveryHost), lines: describeHosts(hosts) })
      }),
    )
  allowJson(requireData(deliveries.command('status <status>')))
    .description('list the deliveries about a post, given its id or URL')
    .action((statusReference: string, options: OutputOptions) =>
      run(async (ctx) => {
        const found = await findDeliveriesOfStatus(ctx, { about: statusReference })
        if (found.length === 0) throw new CommandError(`There are no deliveries of ${statusReference}`)
        const lines = found.flatMap((delivery, n) => [
          ...(delivery.uri === found[n - 1]?.uri ? [] : [`${delivery.createdAt.toISOString()}  ${delivery.uri}`]),
          `  ${describeDelivery(delivery)}`,
        ])
        printResult(options, { result: found, lines })
      }),
    )
  allowJson(requireData(deliveries.command('host <domain>')))
    .description('show the state of a host and its pending, rejected and abandoned deliveries')
    .action((name: string, options: OutputOptions) =>
      run(async (ctx) => {
        const domain = parseDomain(name)
        const host = await orCommandError(findHost(ctx, { domain, now: ctx.now() }), domain)
        const failed = await listUndelivered(ctx, { domain, limit: MAX_LISTED })
        const lines = [
          ...describeHost(host).map(([label, value]) => `${label.padEnd(15)}${value}`),
          ...failed.map((delivery) => `${describeDelivery(delivery)}  ${delivery.uri}`),
        ]
        printResult(options, { result: { ...renderAdminDeliveryHost(host), failedDeliveries: failed }, lines })
      }),
    )
  requireData(deliveries.command('retry [domain]'))
    .description('retry pending and abandoned deliveries now')
    .option('--all', 'of all hosts', false)
    .action((name: string | undefined, { all }: { all: boolean }) =>
      run(async (ctx) => {
        if (all === (name !== undefined)) throw new CommandError('Specify either a host or --all')
        const domain = name === undefined ? null : parseDomain(name)
        if (domain !== null) await failIfUnavailable(orCommandError(findHost(ctx, { domain, now: ctx.now() }), domain))
        const count = await ctx.write((tx) =>
          domain === null ? retryAllHosts(tx, { by: null }) : retryHost(tx, { domain, by: null }),
        )
        console.log(count === 1 ? '1 delivery will be retried' : `${count} deliveries will be retried`)
      }),
    )
  requireData(deliveries.command('reset <domain>'))
    .description('reset the failures of a host so that it gets deliveries again')
    .action((name: string) =>
      run(async (ctx) => {
        const domain = parseDomain(name)
        await orCommandError(
          ctx.write((tx) => resetHost(tx, { domain, by: null })),
          domain,
        )
        console.log('OK')
      }),
    )
}

async function orCommandError<T>(work: Promise<T>, domain: string): Promise<T> {
  try {
    return await work
  } catch (err) {
    throw err instanceof NotFoundError ? new CommandError(`There were no deliveries to ${domain}`) : err
  }
}

async function failIfUnavailable(host: Promise<HostReport>): Promise<void> {
  const { domain, unavailableSince } = await host
  if (unavailableSince) throw new CommandError(`${domain} is unavailable; reset it first`)
}

/** Returns a table of hosts. */
function describeHosts(hosts: readonly HostReport[]): string[] {
  const width = Math.max(4, ...hosts.map(({ domain }) => domain.length))
  const rows = hosts.map((host) => {
    const counts = [host.pending, host.delivered, host.rejected, host.abandoned]
    return formatRow(width, host.domain, counts, [describeState(host), host.lastError].filter(Boolean).join(': '))
  })
  return [formatRow(width, 'HOST', ['PENDING', 'DELIVERED', 'REJECTED', 'ABANDONED'], 'STATE'), ...rows]
}

function formatRow(width: number, host: string, counts: readonly (string | number)[], state: string): string {
  const columns = counts.map((count) => String(count).padStart(11))
  return `${host.padEnd(width)}${columns.join('')}  ${state}`
}

function describeState({ consecutiveFailures, retryAfter, unavailableSince }: HostReport): string {
  if (unavailableSince) return `unavailable since ${unavailableSince.toISOString()}`
  if (retryAfter) return `backoff until ${retryAfter.toISOString()}`
  return consecutiveFailures > 0 ? `failed ${consecutiveFailures} times in a row` : 'ok'
}

function describeHost(host: HostReport): [string, string][] {
  return [
    ['state', describeState(host)],
    ['pending', String(host.pending)],
    ['delivered', String(host.delivered)],
    ['rejected', String(host.rejected)],
    ['abandoned', String(host.abandoned)],
    ['failures', `${host.consecutiveFailures} in a row, on ${host.failingDays} days`],
    ['last error', host.lastError ?? 'none'],
    ['last delivery', host.lastDeliveredAt?.toISOString() ?? 'never'],
    ['last received', host.lastSeenAt?.toISOString() ?? 'never'],
    ['signatures', host.signatureScheme === 'cavage' ? 'draft-cavage' : 'RFC 9421'],
  ]
}

/** Returns one line: state, attempts, last response, inbox, and the next attempt. */
function describeDelivery({ state, attempts, lastStatus, lastError, inboxUrl, nextAttemptAt }: DeliveryReport): string {
  const lastResult = lastStatus === null ? (lastError ?? '-') : `HTTP ${lastStatus}`
  const facts = [state.replace('_', ' ').padEnd(9), `${attempts}×`.padEnd(3), lastResult.padEnd(8), inboxUrl]
  return [...facts, ...(state === 'pending' ? [`next try ${nextAttemptAt.toISOString()}`] : [])].join('  ')
}

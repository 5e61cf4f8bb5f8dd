import type { Command } from 'commander'
import { countDomain, listDomainsNotAllowed, purgeDomain } from '../../domain/account-deletion/purge-domain.ts'
import type { DomainScope } from '../../domain/account-deletion/purge-domain.ts'
import type { Ctx } from '../../domain/context.ts'
import { findDomainStats, listDomainStats } from '../../domain/instance/domain-stats.ts'
import type { DomainStats } from '../../domain/instance/domain-stats.ts'
import { formatBytes } from '../../lib/text/format-bytes.ts'
import { CommandError } from '../command-error.ts'
import { requireData } from '../data-use.ts'
import { parseDomain } from '../input/read-domain.ts'
import { readLimit } from '../input/read-limit.ts'
import { allowDryRun, allowJson, describeFacts, printResult, printRows } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { showProgress } from '../output/show-progress.ts'
import type { RunCommand } from '../run-command.ts'

const STATS_HELP = `
Columns: domain, known accounts, posts, follows by local users, follows of local users, size of its files in the remote
media cache, pending deliveries, state of deliveries. The figures do not include subdomains.`

const PURGE_HELP = `
Follows between local users and the accounts end, and nobody is notified. The accounts are hidden at once; the server
deletes their posts in the background. They can be recorded again afterwards, unless "domain-blocks add" blocks the
domain. "*.example.com" stands for all subdomains of example.com, without example.com itself. With --by-uri, a domain is
the host of the URIs of accounts, which may differ from the domain of their handles. With --limited-federation-mode and
without domains, it removes all domains that are not allowed.`

interface PurgeOptions extends OutputOptions {
  byUri: boolean
  includeSubdomains: boolean
  purgeDomainBlocks: boolean
  limitedFederationMode: boolean
  dryRun: boolean
}

/** Adds `linnet domains`, which shows and removes what is stored of other servers. */
export function domainsCommand(program: Command, run: RunCommand): void {
  const domains = program.command('domains').description('show and remove what is stored of other servers')
  allowJson(requireData(domains.command('stats [domain]')))
    .description('show figures of a domain, or of those with the most known accounts')
    .addHelpText('after', STATS_HELP)
    .option('--limit <number>', 'maximum number of domains', readLimit, 50)
    .action((text: string | undefined, { limit, ...options }: OutputOptions & { limit: number }) =>
      run(async (ctx) => {
        if (text === undefined) {
          printRows(options, { rows: await listDomainStats(ctx, { limit }), cellsOf: cellsOfStats })
          return
        }
        const domain = readRemoteDomain(ctx, text)
        const [stats] = await findDomainStats(ctx, { domains: [domain] })
        if (stats === undefined) throw new CommandError(`No account of ${domain} is known`)
        printResult(options, { result: stats, lines: describeStats(stats) })
      }),
    )
  allowDryRun(allowJson(requireData(domains.command('purge [domain...]'))))
    .description('remove the accounts, posts and emojis of domains, without a block')
    .addHelpText('after', PURGE_HELP)
    .option('--by-uri', 'those whose URIs have the domain, not their handles', false)
    .option('--include-subdomains', 'also those of subdomains', false)
    .option('--purge-domain-blocks', 'also remove the blocks of the domains', false)
    .option('--limited-federation-mode', 'all domains that are not allowed', false)
    .action((names: string[], options: PurgeOptions) => run((ctx) => purgeDomains(ctx, { names, ...options })))
}

async function purgeDomains(
  ctx: Ctx,
  {
    names,
    byUri,
    includeSubdomains,
    purgeDomainBlocks,
    limitedFederationMode,
    dryRun,
    json,
  }: PurgeOptions & { names: readonly string[] },
): Promise<void> {
  if (limitedFederationMode && (names.length > 0 || includeSubdomains || byUri || purgeDomainBlocks))
    throw new CommandError('--limited-federation-mode needs no domains and none of the other options')
  if (!limitedFederationMode && names.length === 0) throw new CommandError('Name the domains to remove')
  // Without an allow, this would remove everything that is known of other servers.
  if (limitedFederationMode && !ctx.config.access.limitedFederation)
    throw new CommandError('Federation is not limited; set LIMITED_FEDERATION_MODE=true, as for the server')
  const targets = limitedFederationMode
    ? (await listDomainsNotAllowed(ctx)).map((domain) => ({ name: domain, domain, isPattern: false }))
    : names.map((name) => readTarget(ctx, name))
  const domains: Awaited<ReturnType<typeof purge>>[] = []
  for (const { name, domain, isPattern } of new Map(targets.map((target) => [target.name, target])).values()) {
    const subdomains = isPattern ? 'only' : includeSubdomains ? 'with' : 'without'
    domains.push(await purge(ctx, { name, scope: { domain, subdomains, byUri }, purgeDomainBlocks, dryRun }))
  }
  const verb = dryRun ? 'would remove' : 'removed'
  printResult(
    { json },
    {
      result: { dryRun, domains },
      lines: domains.map(({ domain, accounts, statuses, emojis, domainBlocks }) => {
        const blocks = purgeDomainBlocks ? `, ${domainBlocks} domain blocks` : ''
        return `${domain}: ${verb} ${accounts} accounts, ${statuses} posts, ${emojis} emojis${blocks}`
      }),
    },
  )
}

/** Removes what a scope contains; with `dryRun`, only counts it. `name`: that of the scope in the result. */
async function purge(
  ctx: Ctx,
  {
    name,
    scope,
    purgeDomainBlocks,
    dryRun,
  }: { name: string; scope: DomainScope; purgeDomainBlocks: boolean; dryRun: boolean },
): Promise<{ domain: string; accounts: number; statuses: number; emojis: number; domainBlocks: number }> {
  const total = await countDomain(ctx, scope)
  if (!purgeDomainBlocks) total.domainBlocks = 0
  if (!dryRun) {
    const progress = showProgress()
    const onProgress = (accounts: number) => progress(Math.min(1, accounts / Math.max(1, total.accounts)), name)
    Object.assign(total, await purgeDomain(ctx, { ...scope, purgeDomainBlocks, onProgress }))
  }
  return { domain: name, ...total }
}

/**
 * Reads a domain, or `*.` and a domain, which stands for its subdomains.
 * @throws CommandError if it is no domain, or that of this server
 */
function readTarget(ctx: Ctx, text: string): { name: string; domain: string; isPattern: boolean } {
  const isPattern = text.startsWith('*.')
  const domain = readRemoteDomain(ctx, isPattern ? text.slice(2) : text)
  return { name: isPattern ? `*.${domain}` : domain, domain, isPattern }
}

/** Returns a domain in its canonical form. @throws CommandError if it is no domain, or that of this server */
function readRemoteDomain({ config }: Pick<Ctx, 'config'>, text: string): string {
  const domain = parseDomain(text)
  if (domain === config.localDomain || domain === config.webDomain) throw new CommandError(`${domain} is this server`)
  return domain
}

function deliveryStateOf({ unavailableSince, lastError }: DomainStats): string {
  if (unavailableSince) return `unavailable since ${unavailableSince.toISOString()}`
  return lastError ?? 'ok'
}

function cellsOfStats(stats: DomainStats) {
  const { domain, accounts, statuses, following, followers, mediaBytes, pendingDeliveries } = stats
  const size = formatBytes(mediaBytes)
  return [domain, accounts, statuses, following, followers, size, pendingDeliveries, deliveryStateOf(stats)]
}

function describeStats(stats: DomainStats): string[] {
  return describeFacts([
    ['domain', stats.domain],
    ['known accounts', stats.accounts],
    ['posts', stats.statuses],
    ['follows by local users', stats.following],
    ['follows of local users', stats.followers],
    ['cached media', formatBytes(stats.mediaBytes)],
    ['pending deliveries', stats.pendingDeliveries],
    ['deliveries', deliveryStateOf(stats)],
  ])
}

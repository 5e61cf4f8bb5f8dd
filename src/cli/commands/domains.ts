import type { Command } from 'commander'
import { countDomain, listDomainsNotAllowed, purgeDomain } from '../../domain/account-deletion/purge-domain.ts'
import type { Ctx } from '../../domain/context.ts'
import { findDomainStats, listDomainStats } from '../../domain/instance/domain-stats.ts'
import type { DomainStats } from '../../domain/instance/domain-stats.ts'
import { formatBytes } from '../../lib/text/format-bytes.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { CommandError } from '../command-error.ts'
import { requireData } from '../data-use.ts'
import { readLimit } from '../input/read-limit.ts'
import { allowDryRun, allowJson, describeFacts, printResult, printRows } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { showProgress } from '../output/show-progress.ts'
import type { RunCommand } from '../run-command.ts'

const STATS_HELP = `
Columns: domain, known accounts, posts, follows by local users, follows of local users, size of its files in the remote
media cache, pending deliveries, state of deliveries. The figures do not include subdomains.`

const PURGE_HELP = `
Follows between local users and the accounts end, of which the users are notified. The accounts are hidden at once; the
server deletes their posts in the background. They can be recorded again afterwards, unless "domain-blocks add" blocks
the domain. With --limited-federation-mode and without domains, it removes all domains that are not allowed.`

interface PurgeOptions extends OutputOptions {
  includeSubdomains: boolean
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
    .option('--include-subdomains', 'also those of subdomains', false)
    .option('--limited-federation-mode', 'all domains that are not allowed', false)
    .action((names: string[], options: PurgeOptions) => run((ctx) => purgeDomains(ctx, { names, ...options })))
}

async function purgeDomains(
  ctx: Ctx,
  { names, includeSubdomains, limitedFederationMode, dryRun, json }: PurgeOptions & { names: readonly string[] },
): Promise<void> {
  if (limitedFederationMode && (names.length > 0 || includeSubdomains))
    throw new CommandError('--limited-federation-mode needs no domains and no --include-subdomains')
  if (!limitedFederationMode && names.length === 0) throw new CommandError('Name the domains to remove')
  // Without an allow, this would remove everything that is known of other servers.
  if (limitedFederationMode && !ctx.config.access.limitedFederation)
    throw new CommandError('Federation is not limited; set LIMITED_FEDERATION_MODE=true, as for the server')
  const found = limitedFederationMode
    ? await listDomainsNotAllowed(ctx)
    : new Set(names.map((name) => readRemoteDomain(ctx, name)))
  const scopes = [...found].map((domain) => ({ domain, includeSubdomains }))
  const domains: { domain: string; accounts: number; statuses: number; emojis: number }[] = []
  for (const scope of scopes) {
    const { domain } = scope
    const total = await countDomain(ctx, scope)
    if (!dryRun) {
      const progress = showProgress()
      const onProgress = (accounts: number) => progress(Math.min(1, accounts / Math.max(1, total.accounts)), domain)
      Object.assign(total, await purgeDomain(ctx, { ...scope, onProgress }))
    }
    domains.push({ domain, ...total })
  }
  const verb = dryRun ? 'Would remove' : 'Removed'
  printResult(
    { json },
    {
      result: { dryRun, domains },
      lines: domains.map(
        ({ domain, accounts, statuses, emojis }) =>
          `${domain}: ${verb.toLowerCase()} ${accounts} accounts, ${statuses} posts, ${emojis} emojis`,
      ),
    },
  )
}

/** Returns a domain in its canonical form. @throws CommandError if it is no domain, or that of this server */
function readRemoteDomain({ config }: Pick<Ctx, 'config'>, text: string): string {
  const domain = canonicalDomain(text, { keepPort: true })
  if (domain === null) throw new CommandError(`"${text}" is not a domain`)
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

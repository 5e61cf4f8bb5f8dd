import { Option } from 'commander'
import type { Command } from 'commander'
import type { Ctx } from '../../domain/context.ts'
import { listMailHosts } from '../../domain/email-blocks/check-email-domain.ts'
import {
  createEmailDomainBlock,
  deleteEmailDomainBlock,
  findEmailDomainBlocks,
  listEmailDomainBlocks,
} from '../../domain/email-blocks/email-domain-blocks.ts'
import { canonicalDomain } from '../../lib/usernames.ts'
import { renderAdminEmailDomainBlocks } from '../../render/admin/sign-up-blocks/render-admin-email-domain-blocks.ts'
import { allowCreatingData, requireData } from '../data-use.ts'
import { allowPages, readPages } from '../input/read-pages.ts'
import type { PageOptions } from '../input/read-pages.ts'
import { allowDryRun, allowJson, printResult, printRows } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { reportFailed } from '../output/report-failed.ts'
import type { RunCommand } from '../run-command.ts'

const HELP = `
A block matches e-mail addresses of the domain, of its subdomains, and of domains whose mail servers (MX) it matches.
Addresses of existing users stay valid.`

interface ListOptions extends PageOptions, OutputOptions {
  onlyBlocked: boolean
  onlyWithApproval: boolean
}

interface AddOptions extends OutputOptions {
  withDnsRecords: boolean
  allowWithApproval: boolean
}

/** Adds `linnet email-domain-blocks`, which manages blocks of domains of e-mail addresses. */
export function emailDomainBlocksCommand(program: Command, run: RunCommand): void {
  const blocks = program
    .command('email-domain-blocks')
    .description('add, list and remove blocks of domains of e-mail addresses')
  allowPages(allowJson(requireData(blocks.command('list'))))
    .description('list the blocks, newest first: id, domain, effect (blocked or approval), time')
    .addOption(
      new Option('--only-blocked', 'only domains whose sign-ups are refused')
        .default(false)
        .conflicts('onlyWithApproval'),
    )
    .option('--only-with-approval', 'only domains whose sign-ups await approval', false)
    .action((options: ListOptions) => run((ctx) => printBlocks(ctx, options)))
  allowJson(allowCreatingData(blocks.command('add <domain...>')))
    .description('block domains')
    .addHelpText('after', HELP)
    .option('--with-dns-records', 'also block the mail servers of the domains, as blocks of their own', false)
    .option('--allow-with-approval', 'let users sign up, but await approval', false)
    .action((domains: string[], options: AddOptions) => run((ctx) => addBlocks(ctx, { domains, ...options })))
  allowDryRun(allowJson(requireData(blocks.command('remove <domain...>'))))
    .description('remove the blocks of exactly these domains')
    .action((domains: string[], options: OutputOptions & { dryRun: boolean }) =>
      run((ctx) => removeBlocks(ctx, { domains, ...options })),
    )
}

async function printBlocks(ctx: Ctx, { onlyBlocked, onlyWithApproval, ...options }: ListOptions): Promise<void> {
  const rows = await readPages(options, async (page) => {
    const found = await listEmailDomainBlocks(ctx, { page })
    const selected = found.filter((block) => !(block.allow_with_approval ? onlyBlocked : onlyWithApproval))
    const rendered = await renderAdminEmailDomainBlocks(ctx, { blocks: selected, now: ctx.now() })
    return { ids: found.map(({ id }) => id), rows: rendered }
  })
  printRows(options, {
    rows,
    cellsOf: ({ id, domain, allow_with_approval: allowWithApproval, created_at: createdAt }) => [
      id,
      domain,
      allowWithApproval ? 'approval' : 'blocked',
      createdAt,
    ],
  })
}

async function addBlocks(
  ctx: Ctx,
  { domains, withDnsRecords, allowWithApproval, json }: AddOptions & { domains: readonly string[] },
): Promise<void> {
  const result = { added: [] as string[], skipped: [] as string[], failed: [] as string[] }
  for (const text of domains) {
    const domain = canonicalDomain(text)
    if (domain === null) {
      result.failed.push(text)
      continue
    }
    const mailHosts = withDnsRecords ? await listMailHosts(ctx, { domain }) : []
    const names = [...new Set([domain, ...mailHosts])]
    const added = await ctx.write(async (tx) => {
      const existing = new Set((await findEmailDomainBlocks(tx, { domains: names })).map((block) => block.domain))
      const missing = names.filter((name) => !existing.has(name))
      for (const name of missing) await createEmailDomainBlock(tx, { by: null, domain: name, allowWithApproval })
      return missing
    })
    result.added.push(...added)
    result.skipped.push(...names.filter((name) => !added.includes(name)))
  }
  const { added, skipped, failed } = result
  const counts = `Added ${added.length}, skipped ${skipped.length}, failed ${failed.length}`
  printResult({ json }, { result, lines: [...(withDnsRecords ? added : []), counts] })
  reportFailed(failed, { json, expected: 'a domain' })
}

async function removeBlocks(
  ctx: Ctx,
  { domains, dryRun, json }: OutputOptions & { domains: readonly string[]; dryRun: boolean },
): Promise<void> {
  const names = domains.map((text) => ({ text, domain: canonicalDomain(text) }))
  const failed = names.filter(({ domain }) => domain === null).map(({ text }) => text)
  const known = [...new Set(names.flatMap(({ domain }) => domain ?? []))]
  const removed = await ctx.write(async (tx) => {
    const blocks = await findEmailDomainBlocks(tx, { domains: known })
    if (!dryRun) for (const { id } of blocks) await deleteEmailDomainBlock(tx, { id, by: null })
    return blocks.map((block) => block.domain)
  })
  const skipped = known.filter((domain) => !removed.includes(domain))
  const verb = dryRun ? 'Would remove' : 'Removed'
  const counts = `${verb} ${removed.length}, skipped ${skipped.length}, failed ${failed.length}`
  printResult({ json }, { result: { dryRun, removed, skipped, failed }, lines: [counts] })
  reportFailed(failed, { json, expected: 'a domain' })
}

import type { Command } from 'commander'
import type { Ctx } from '../../domain/context.ts'
import { allowDomain, listDomainAllows, removeAllowOfDomain } from '../../domain/domain-blocks/allow-domain.ts'
import { renderAdminDomainAllow } from '../../render/admin/federation/render-admin-domain-allow.ts'
import { allowCreatingData, requireData } from '../data-use.ts'
import { allowPages, readPages } from '../input/read-pages.ts'
import type { PageOptions } from '../input/read-pages.ts'
import { allowJson, printRows } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import type { RunCommand } from '../run-command.ts'

const HELP = `
With LIMITED_FEDERATION_MODE=true, the server federates with allowed domains only. An allow does not include subdomains.
Removing one ends the follows between local users and the accounts of the domain; the server deletes these accounts and
their posts in the background. They can be recorded again once the domain is allowed again.`

/** Adds `linnet domain-allows`, which manages the domains of limited federation. */
export function domainAllowsCommand(program: Command, run: RunCommand): void {
  const allows = program
    .command('domain-allows')
    .description('add, list and remove the domains that limited federation allows')
    .addHelpText('after', HELP)
  allowPages(allowJson(requireData(allows.command('list'))))
    .description('list the allowed domains, newest first: id, domain, time')
    .action((options: PageOptions & OutputOptions) => run((ctx) => printAllows(ctx, options)))
  allowCreatingData(allows.command('add <domain...>'))
    .description('allow domains')
    .action((domains: string[]) =>
      run(async (ctx) => {
        await ctx.write(async (tx) => {
          for (const domain of domains) await allowDomain(tx, { by: null, domain })
        })
        console.log('OK')
      }),
    )
  requireData(allows.command('remove <domain...>'))
    .description('do not allow domains any more')
    .action((domains: string[]) =>
      run(async (ctx) => {
        await ctx.write(async (tx) => {
          for (const domain of domains) await removeAllowOfDomain(tx, { by: null, domain })
        })
        console.log('OK')
      }),
    )
}

async function printAllows(ctx: Ctx, options: PageOptions & OutputOptions): Promise<void> {
  const rows = await readPages(options, async (page) => {
    const found = await listDomainAllows(ctx, { page })
    return { ids: found.map(({ id }) => id), rows: found.map(renderAdminDomainAllow) }
  })
  printRows(options, { rows, cellsOf: ({ id, domain, created_at: createdAt }) => [id, domain, createdAt] })
}

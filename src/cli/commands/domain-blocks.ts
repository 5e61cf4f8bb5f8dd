import { Option } from 'commander'
import type { Command } from 'commander'
import { listDomainBlocks } from '../../domain/domain-blocks/list-domain-blocks.ts'
import { removeBlockOfDomain, setDomainBlock } from '../../domain/domain-blocks/set-domain-block.ts'
import type { DomainBlockSettings } from '../../domain/domain-blocks/set-domain-block.ts'
import { exportDomainBlocks } from '../../domain/moderation/domain-blocks/import/export-block-lists.ts'
import type { AdminDomainBlock } from '../../entities/admin/federation/admin-domain-block.ts'
import { renderAdminDomainBlock } from '../../render/admin/federation/render-admin-domain-blocks.ts'
import { allowJson, printRows } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { importDomainBlocks } from './import-domain-blocks.ts'
import { allowCreatingData, requireData } from '../data-use.ts'
import type { RunCommand } from '../run-command.ts'

const SEVERITIES: DomainBlockSettings['severity'][] = ['suspend', 'silence', 'noop']

const HELP = `
Severities:
  suspend  Nothing is accepted from, requested from or sent to the server. Follows in both directions end;
           local users who lose follows are notified. Known accounts are suspended.
  silence  Accounts are limited.
  noop     Only the other options apply.

A new block has the severity suspend by default. Of an existing block, only what the options name changes; without
options, its severity becomes suspend.

Removing a block ends these limits and suspensions. Within 30 days, local users follow again the accounts that
they followed; followers from the server have to follow again. Posts remain stored. "settings set domain-blocks" controls who can see the list of blocked servers.`

const IMPORT_HELP = `
The file has the columns of Mastodon's exports, for example
  #domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate
  bad.example,suspend,false,false,Spam,false
A domain alone is enough: the severity is then suspend. Existing blocks that are stricter stay, except with --overwrite.
Invalid lines are printed and skipped, and the exit code is then 1.`

type AddOptions = Partial<Omit<DomainBlockSettings, 'domain' | 'publicComment'>> & { comment?: string }

/** Adds `linnet domain-blocks`, which manages domain blocks. */
export function domainBlocksCommand(program: Command, run: RunCommand): void {
  const blocks = program.command('domain-blocks').description('add, list, remove, import and export domain blocks')
  allowCreatingData(blocks.command('add <domain>'))
    .description('block a domain and its subdomains, or change an existing block')
    .addHelpText('after', HELP)
    .addOption(new Option('--severity <severity>', 'severity of the block (suspend)').choices(SEVERITIES))
    .option('--reject-media', 'reject media and delete cached media')
    .option('--no-reject-media', 'accept media')
    .option('--reject-reports', 'reject reports')
    .option('--no-reject-reports', 'accept reports')
    .option('--comment <text>', 'public comment')
    .option('--private-comment <text>', 'private comment for staff')
    .option('--obfuscate', 'obfuscate the domain in the public list')
    .option('--no-obfuscate', 'show the complete domain in the public list')
    .action((domain: string, { comment, ...options }: AddOptions) =>
      run(async (ctx) => {
        const changes = { publicComment: comment, ...options }
        const isEmpty = Object.values(changes).every((value) => value === undefined)
        const rule = { domain, ...(isEmpty ? { severity: 'suspend' as const } : changes), by: null }
        const outcome = await ctx.write((tx) => setDomainBlock(tx, rule))
        console.log(outcome === 'added' ? 'Added' : 'Changed')
      }),
    )
  allowJson(requireData(blocks.command('list')))
    .description('list the blocks: domain, severity, options, public comment, private comment')
    .action((options: OutputOptions) =>
      run(async (ctx) => {
        const rows = (await listDomainBlocks(ctx)).map(renderAdminDomainBlock)
        printRows(options, { rows, cellsOf: cellsOfBlock })
      }),
    )
  requireData(blocks.command('export'))
    .description("print the blocks as CSV in Mastodon's format, without private comments")
    .action(() => run(async (ctx) => void process.stdout.write(await exportDomainBlocks(ctx))))
  allowCreatingData(blocks.command('import <file>'))
    .description('block the domains of a CSV file')
    .addHelpText('after', IMPORT_HELP)
    .option('--overwrite', 'also replace stricter blocks', false)
    .option('--dry-run', 'only show what each line would do', false)
    .action((file: string, options: { overwrite: boolean; dryRun: boolean }) =>
      run((ctx) => importDomainBlocks(ctx, { file, ...options })),
    )
  requireData(blocks.command('remove <domain>'))
    .description('remove the block of a domain')
    .action((domain: string) =>
      run(async (ctx) => {
        await ctx.write((tx) => removeBlockOfDomain(tx, { domain, by: null }))
        console.log('OK')
      }),
    )
}

function cellsOfBlock(block: AdminDomainBlock) {
  const flags = [
    block.reject_media && 'reject-media',
    block.reject_reports && 'reject-reports',
    block.obfuscate && 'obfuscate',
  ].filter(Boolean)
  return [block.domain, block.severity, flags.join(','), block.public_comment, block.private_comment]
}

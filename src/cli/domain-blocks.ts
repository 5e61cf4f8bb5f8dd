import { Option } from 'commander'
import type { Command } from 'commander'
import { listDomainBlocks, removeDomainBlock, setDomainBlock } from '../domain/moderation/change-domain-blocks.ts'
import type { DomainRule } from '../domain/moderation/change-domain-blocks.ts'
import { cleanText } from '../lib/text/cleanText.ts'
import { createsData, needsData } from './data-use.ts'
import type { Run } from './open.ts'

const SEVERITIES: DomainRule['severity'][] = ['suspend', 'silence', 'noop']

const EXPLANATION = `
suspend: nothing is taken from the server, asked of it or sent to it; follows there and from there end for good, and whoever
here loses some is told. silence: people who come to be known from now on are limited. noop: only what else is said. A rule
holds for what happens from now on: people and posts that are here already stay. Who is told of it: settings set
domain-blocks.`

/** `linnet domain-blocks`: the rules for other servers. */
export function domainBlocksCommand(program: Command, run: Run): void {
  const blocks = program.command('domain-blocks').description('add, list and remove rules for other servers')
  createsData(blocks.command('add <domain>'))
    .description('make a rule for a server and all below its domain, or change the one that it has')
    .addHelpText('after', EXPLANATION)
    .addOption(new Option('--severity <severity>', 'how far it goes').choices(SEVERITIES).default('suspend'))
    .option('--reject-media', 'take no media from it, and drop those that are kept', false)
    .option('--reject-reports', 'take no reports from it', false)
    .option('--comment <text>', 'why, for others', '')
    .option('--private-comment <text>', 'why, for the staff', '')
    .option('--obfuscate', 'tell others only a part of its name', false)
    .action(
      (domain: string, { comment, ...options }: Omit<DomainRule, 'domain' | 'publicComment'> & { comment: string }) =>
        run(async (ctx) => {
          const rule = { domain, publicComment: comment, ...options }
          const outcome = await ctx.write((tx) => setDomainBlock(tx, rule))
          console.log(outcome === 'added' ? 'Added' : 'Changed')
        }),
    )
  needsData(blocks.command('list'))
    .description('list the rules: domain, severity, what else, the comment for others, the one for the staff')
    .action(() =>
      run(async (ctx) => {
        for (const { domain, severity, publicComment, privateComment, ...rule } of await listDomainBlocks(ctx)) {
          const more = [
            rule.rejectMedia && 'reject-media',
            rule.rejectReports && 'reject-reports',
            rule.obfuscate && 'obfuscate',
          ].filter(Boolean)
          const comments = [publicComment, privateComment].map((text) => cleanText(text).replaceAll(/\s+/g, ' ') || '-')
          console.log([domain, severity, more.join(',') || '-', ...comments].join('\t'))
        }
      }),
    )
  needsData(blocks.command('remove <domain>'))
    .description('remove the rule of a server')
    .action((domain: string) =>
      run(async (ctx) => {
        await ctx.write((tx) => removeDomainBlock(tx, { domain }))
        console.log('OK')
      }),
    )
}

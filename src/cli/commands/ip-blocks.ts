import { InvalidArgumentError, Option } from 'commander'
import type { Command } from 'commander'
import type { Ctx } from '../../domain/context.ts'
import { IP_BLOCK_SEVERITIES } from '../../domain/ip-blocks/find-ip-block.ts'
import type { IpBlockSeverity } from '../../domain/ip-blocks/find-ip-block.ts'
import {
  findIpBlocks,
  listIpBlocks,
  listNoAccessRanges,
  listRelatedIpBlocks,
} from '../../domain/ip-blocks/list-ip-blocks.ts'
import { createIpBlock, deleteIpBlock, updateIpBlock } from '../../domain/ip-blocks/write-ip-block.ts'
import { NotFoundError } from '../../lib/errors.ts'
import { parseIpNetwork } from '../../lib/http/ip-network.ts'
import { renderAdminIpBlock } from '../../render/admin/sign-up-blocks/render-admin-ip-block.ts'
import { allowCreatingData, requireData } from '../data-use.ts'
import { allowPages, readPages } from '../input/read-pages.ts'
import type { PageOptions } from '../input/read-pages.ts'
import { allowDryRun, allowJson, printResult, printRows } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { reportFailed } from '../output/report-failed.ts'
import type { RunCommand } from '../run-command.ts'

const HELP = `
Severities:
  sign_up_requires_approval  Users who sign up from the range await approval.
  sign_up_block              Nobody can sign up from the range.
  no_access                  All requests from the range are refused.`

interface AddOptions extends OutputOptions {
  severity: IpBlockSeverity
  comment: string
  duration: number
  force: boolean
}

interface RemoveOptions extends OutputOptions {
  force: boolean
  dryRun: boolean
}

/** Adds `linnet ip-blocks`, which manages blocks of IP address ranges. */
export function ipBlocksCommand(program: Command, run: RunCommand): void {
  const blocks = program.command('ip-blocks').description('add, list, remove and export blocks of IP address ranges')
  allowPages(allowJson(requireData(blocks.command('list'))))
    .description('list the blocks, newest first: id, range, severity, expiry, comment')
    .action((options: PageOptions & OutputOptions) =>
      run(async (ctx) => {
        const rows = await readPages(options, async (page) => {
          const found = await listIpBlocks(ctx, { page })
          return { ids: found.map(({ id }) => id), rows: found.map(renderAdminIpBlock) }
        })
        printRows(options, {
          rows,
          cellsOf: ({ id, ip, severity, expires_at: expiresAt, comment }) => [id, ip, severity, expiresAt, comment],
        })
      }),
    )
  allowJson(allowCreatingData(blocks.command('add <range...>')))
    .description('block IP addresses or CIDR ranges')
    .addHelpText('after', HELP)
    .addOption(
      new Option('--severity <severity>', 'severity of the blocks').choices(IP_BLOCK_SEVERITIES).makeOptionMandatory(),
    )
    .option('-c, --comment <text>', 'comment for the staff', '')
    .option('-d, --duration <seconds>', 'time until the blocks expire; 0: never', readDuration, 0)
    .option('-f, --force', 'replace existing blocks of the same ranges', false)
    .action((ranges: string[], options: AddOptions) => run((ctx) => addBlocks(ctx, { ranges, ...options })))
  allowDryRun(allowJson(requireData(blocks.command('remove <range...>'))))
    .description('remove the blocks of ranges and of ranges inside them')
    .option('-f, --force', 'also remove blocks of ranges that contain these', false)
    .action((ranges: string[], options: RemoveOptions) => run((ctx) => removeBlocks(ctx, { ranges, ...options })))
  requireData(blocks.command('export'))
    .description('print the ranges without access, one per line')
    .addOption(
      new Option('-f, --format <format>', 'ranges, or the directives of nginx')
        .choices(['plain', 'nginx'])
        .default('plain'),
    )
    .action(({ format }: { format: 'plain' | 'nginx' }) =>
      run(async (ctx) => {
        for (const range of await listNoAccessRanges(ctx, { now: ctx.now() }))
          console.log(format === 'nginx' ? `deny ${range};` : range)
      }),
    )
}

async function addBlocks(
  ctx: Ctx,
  { ranges, severity, comment, duration, force, json }: AddOptions & { ranges: readonly string[] },
): Promise<void> {
  const result = { added: [] as string[], replaced: [] as string[], skipped: [] as string[], failed: [] as string[] }
  for (const range of ranges) {
    const ip = parseIpNetwork(range)?.text
    if (ip === undefined) {
      result.failed.push(range)
      continue
    }
    const outcome = await ctx.write(async (tx) => {
      const block = { by: null, callerIp: null, ip, severity, comment, expiresInSeconds: duration }
      const [existing] = await findIpBlocks(tx, { ips: [ip], now: tx.now })
      if (existing && !force) return 'skipped'
      if (existing) await updateIpBlock(tx, { id: existing.id, ...block })
      else await createIpBlock(tx, block)
      return existing ? 'replaced' : 'added'
    })
    result[outcome].push(ip)
  }
  const { added, replaced, skipped, failed } = result
  const counts = `Added ${added.length}, replaced ${replaced.length}, skipped ${skipped.length}, failed ${failed.length}`
  printResult({ json }, { result, lines: [counts] })
  reportFailed(failed, { json, expected: 'an IP address or a CIDR range' })
}

async function removeBlocks(
  ctx: Ctx,
  { ranges, force, dryRun, json }: RemoveOptions & { ranges: readonly string[] },
): Promise<void> {
  const result = { dryRun, removed: [] as string[], skipped: [] as string[], failed: [] as string[] }
  for (const range of ranges) {
    const ip = parseIpNetwork(range)?.text
    const blocks = ip === undefined ? [] : await listRelatedIpBlocks(ctx, { ip, covering: force })
    for (const block of blocks) {
      if (result.removed.includes(block.ip)) continue
      if (dryRun || (await isRemovedNow(ctx, block))) result.removed.push(block.ip)
    }
    if (ip === undefined) result.failed.push(range)
    else if (blocks.length === 0) result.skipped.push(ip)
  }
  const { removed, skipped, failed } = result
  const verb = dryRun ? 'Would remove' : 'Removed'
  const counts = `${verb} ${removed.length}, skipped ${skipped.length}, failed ${failed.length}`
  printResult({ json }, { result, lines: [...(dryRun ? removed : []), counts] })
  reportFailed(failed, { json, expected: 'an IP address or a CIDR range' })
}

/** Removes a block. Returns false if it was removed in the meantime. */
async function isRemovedNow(ctx: Ctx, { id }: { id: string }): Promise<boolean> {
  try {
    await ctx.write((tx) => deleteIpBlock(tx, { id, by: null }))
    return true
  } catch (err) {
    if (err instanceof NotFoundError) return false
    throw err
  }
}

function readDuration(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError('It must be a number of seconds.')
  return Number(text)
}

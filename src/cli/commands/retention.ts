import { InvalidArgumentError } from 'commander'
import type { Command } from 'commander'
import type { Ctx } from '../../domain/context.ts'
import { measureRetentionSizes } from '../../domain/retention/measure-retention-sizes.ts'
import type { RetentionSize } from '../../domain/retention/measure-retention-sizes.ts'
import {
  changeRetentionPolicy,
  MAX_RETENTION_DAYS,
  readRetentionPolicy,
} from '../../domain/retention/retention-policy.ts'
import type { RetentionPolicy } from '../../domain/retention/retention-policy.ts'
import { pruneNow, readRetentionRuns, RETENTION_AREAS } from '../../domain/retention/run-retention.ts'
import type { RetentionArea } from '../../domain/retention/run-retention.ts'
import { formatBytes } from '../../lib/text/format-bytes.ts'
import { CommandError } from '../command-error.ts'
import { requireData } from '../data-use.ts'
import { allowJson, printResult } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { showProgress } from '../output/show-progress.ts'
import type { RunCommand } from '../run-command.ts'

const TITLES: Readonly<Record<RetentionSize['area'], string>> = {
  remote_statuses: 'remote posts',
  notifications: 'notifications',
  status_versions: 'earlier versions of posts',
  media_cache: 'remote media cache',
}

const HELP = `
The server prunes remote posts without local interaction, notifications, and earlier versions of edited posts in the
background. A pruned post is fetched again when it is needed. A post stays if a local account follows its author or has
interacted with it, or if it is in a thread with a local post. 0 days: never.`

/** Adds `linnet retention`, which shows, changes and applies the retention policy. */
export function retentionCommand(program: Command, run: RunCommand): void {
  const retention = allowJson(requireData(program.command('retention')))
    .description('show sizes, what would be pruned, and the last and next runs')
    .addHelpText('after', HELP)
    .action((options: OutputOptions) => run((ctx) => showRetention(ctx, options)))
  allowJson(requireData(retention.command('run')))
    .description('prune everything that is due now')
    .option('--dry-run', 'only count', false)
    .action(({ dryRun, json }: OutputOptions & { dryRun: boolean }) =>
      run(async (ctx) => {
        const pruned = await prune(ctx, { dryRun })
        const lines = RETENTION_AREAS.map((area) => {
          const count = pruned[area]
          return `${TITLES[area]}: ${count === null ? 'disabled' : `${dryRun ? 'would prune' : 'pruned'} ${count}`}`
        })
        printResult({ json }, { result: { dryRun, pruned }, lines })
      }),
    )
  requireData(retention.command('set'))
    .description('change after how many days rows are pruned')
    .option('--remote-statuses <days>', 'remote posts without local interaction', readDays)
    .option('--notifications <days>', 'notifications', readDays)
    .option('--remote-versions <days>', 'earlier versions of remote posts, after their last edit', readDays)
    .option('--local-versions <days>', 'earlier versions of local posts, after their last edit', readDays)
    .action(
      (options: { remoteStatuses?: number; notifications?: number; remoteVersions?: number; localVersions?: number }) =>
        run(async (ctx) => {
          if (Object.keys(options).length === 0) throw new CommandError('Specify at least one option')
          const changes = {
            remoteStatusesDays: options.remoteStatuses,
            notificationsDays: options.notifications,
            remoteVersionsDays: options.remoteVersions,
            localVersionsDays: options.localVersions,
          }
          await ctx.write((tx) => changeRetentionPolicy(tx, { by: null, changes }))
          console.log('OK')
        }),
    )
}

async function showRetention(ctx: Ctx, options: OutputOptions): Promise<void> {
  const policy = await readRetentionPolicy(ctx)
  const runs = await readRetentionRuns(ctx, { now: ctx.now() })
  const due = await prune(ctx, { dryRun: true })
  const areas = (await measureRetentionSizes(ctx)).map((size) => {
    const pass = runs.find((one) => one.area === size.area)
    return {
      name: size.area,
      rows: size.rows,
      rows_estimated: size.estimated,
      bytes: size.bytes,
      due_count: size.area === 'media_cache' ? null : due[size.area],
      last_run_at: pass?.lastRunAt?.toISOString() ?? null,
      next_run_at: pass?.nextRunAt?.toISOString() ?? null,
    }
  })
  const days = daysOf(policy)
  const dayLines = Object.entries(days).map(([name, value]) => {
    // The name of the option that changes it.
    const option = name.replace(/_days$/, '').replaceAll('_', '-')
    return `${option.padEnd(16)} ${value === 0 ? 'never' : `${value} days`}`
  })
  const areaLines = areas.map(({ name, rows, rows_estimated: estimated, bytes, ...one }) => {
    const size = `${formatBytes(bytes).padStart(9)}  ${`${estimated ? '~' : ''}${rows}`.padStart(10)}  ${TITLES[name]}`
    const runTimes = `last run ${one.last_run_at ?? 'never'}, next run ${one.next_run_at ?? 'never'}`
    return name === 'media_cache' ? size : `${size}: ${one.due_count ?? 0} to prune, ${runTimes}`
  })
  printResult(options, { result: { ...days, areas }, lines: [...dayLines, ...areaLines] })
}

function daysOf(policy: RetentionPolicy): Record<string, number> {
  return {
    remote_statuses_days: policy.remoteStatusesDays,
    notifications_days: policy.notificationsDays,
    remote_versions_days: policy.remoteVersionsDays,
    local_versions_days: policy.localVersionsDays,
  }
}

async function prune(ctx: Ctx, { dryRun }: { dryRun: boolean }): Promise<Record<RetentionArea, number | null>> {
  const progress = showProgress()
  return pruneNow(ctx, {
    dryRun,
    onStep: (area) => progress(RETENTION_AREAS.indexOf(area) / RETENTION_AREAS.length, TITLES[area]),
  })
}

function readDays(text: string): number {
  const days = Number(text)
  if (/^\d{1,5}$/.test(text) && days <= MAX_RETENTION_DAYS) return days
  throw new InvalidArgumentError(`It must be a whole number of days, at most ${MAX_RETENTION_DAYS}.`)
}

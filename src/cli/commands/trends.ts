import { Argument } from 'commander'
import type { Command } from 'commander'
import { approveTrend, findTrendSubject, rejectTrend, TREND_KINDS } from '../../domain/trends/review-trend.ts'
import type { TrendKind } from '../../domain/trends/review-trend.ts'
import { listTrends, readApprovalFilter } from '../../domain/trends/list-trends.ts'
import { allowJson, printRows } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { requireData } from '../data-use.ts'
import type { RunCommand } from '../run-command.ts'

const HELP = `
Names: the hashtag of a tag, the id of a status, the URL of a link, the domain of a publisher. The review of a publisher
applies to its pages without a review of their own. "settings set trends-unreviewed on" shows unreviewed trends.`

/** Adds `linnet trends`, which lists and reviews trends. */
export function trendsCommand(program: Command, run: RunCommand): void {
  const trends = program.command('trends').description('list and review trends')
  const kind = () => new Argument('<kind>').choices(TREND_KINDS)
  allowJson(requireData(trends.command('list')))
    .description('list trends: kind, name, score, state (shown, pending, approved or rejected), details')
    .addArgument(new Argument('[kind]').choices(TREND_KINDS))
    .action((selectedKind: TrendKind | undefined, options: OutputOptions) =>
      run(async (ctx) => {
        const isPublic = await readApprovalFilter(ctx)
        const rows = []
        for (const trendKind of selectedKind === undefined ? TREND_KINDS : [selectedKind]) {
          for (const { approved, ...trend } of await listTrends(ctx, { kind: trendKind }))
            rows.push({ kind: trendKind, ...trend, state: stateOf(approved, isPublic) })
        }
        printRows(options, {
          rows,
          cellsOf: ({ kind: rowKind, name, score, state, about }) => [rowKind, name, score.toFixed(1), state, about],
        })
      }),
    )
  for (const [commandName, description, reviewTrend] of [
    ['approve', 'approve trends', approveTrend],
    ['reject', 'reject trends', rejectTrend],
  ] as const) {
    requireData(trends.command(commandName))
      .description(description)
      .addHelpText('after', HELP)
      .addArgument(kind())
      .argument('<name...>')
      .action((trendKind: TrendKind, names: string[]) =>
        run(async (ctx) => {
          await ctx.write(async (tx) => {
            for (const name of names) {
              const id = await findTrendSubject(tx, { kind: trendKind, name })
              await reviewTrend(tx, { kind: trendKind, id, by: null })
            }
          })
          console.log('OK')
        }),
      )
  }
}

function stateOf(approved: boolean | null, isPublic: (approved: boolean | null) => boolean): string {
  if (isPublic(approved)) return 'shown'
  return approved === null ? 'pending' : approved ? 'approved' : 'rejected'
}

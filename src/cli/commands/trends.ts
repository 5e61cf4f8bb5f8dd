import { Argument } from 'commander'
import type { Command } from 'commander'
import { approveTrend, findTrendSubject, rejectTrend, TREND_KINDS } from '../../domain/trends/review-trend.ts'
import type { TrendKind } from '../../domain/trends/review-trend.ts'
import { listTrends, readApprovalFilter } from '../../domain/trends/list-trends.ts'
import type { Trend } from '../../domain/trends/list-trends.ts'
import { cleanText } from '../../lib/text/clean-text.ts'
import { requireData } from '../data-use.ts'
import type { RunCommand } from '../run-command.ts'

const HELP = `
Names: the hashtag of a tag, the id of a status, the URL of a link, the domain of a publisher. The review of a publisher
applies to its pages without a review of their own. "settings set trends-unreviewed on" shows unreviewed trends.`

/** Adds `linnet trends`, which lists and reviews trends. */
export function trendsCommand(program: Command, run: RunCommand): void {
  const trends = program.command('trends').description('list and review trends')
  const kind = () => new Argument('<kind>').choices(TREND_KINDS)
  requireData(trends.command('list'))
    .description('list trends: kind, name, score, state (shown, pending, approved or rejected), details')
    .addArgument(new Argument('[kind]').choices(TREND_KINDS))
    .action((selectedKind: TrendKind | undefined) =>
      run(async (ctx) => {
        const isPublic = await readApprovalFilter(ctx)
        for (const trendKind of selectedKind === undefined ? TREND_KINDS : [selectedKind]) {
          for (const trend of await listTrends(ctx, { kind: trendKind }))
            console.log(formatRow(trendKind, trend, isPublic))
        }
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

function formatRow(
  kind: TrendKind,
  { name, score, approved, about }: Trend,
  isPublic: (approved: boolean | null) => boolean,
): string {
  const state = isPublic(approved) ? 'shown' : approved === null ? 'pending' : approved ? 'approved' : 'rejected'
  return [kind, name, score.toFixed(1), state, about]
    .map((cell) => cleanText(cell).replaceAll(/\s+/g, ' '))
    .join('\t')
    .trimEnd()
}

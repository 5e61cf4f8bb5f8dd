import { Argument } from 'commander'
import type { Command } from 'commander'
import { approveTrend, findJudged, rejectTrend, TREND_KINDS } from '../domain/trends/judge.ts'
import type { TrendKind } from '../domain/trends/judge.ts'
import { listTrends, readShownVerdicts } from '../domain/trends/list.ts'
import type { Trend } from '../domain/trends/list.ts'
import { cleanText } from '../lib/text/cleanText.ts'
import { needsData } from './data-use.ts'
import type { Run } from './open.ts'

const EXPLANATION = `
Names: the hashtag of a tag, the id of a status, the URL of a link, the domain of a publisher. The review of a publisher
applies to its pages without a review of their own. "settings set trends-unreviewed on" shows unreviewed trends.`

/** `linnet trends`: what many people take part in, and whether others are shown it. */
export function trendsCommand(program: Command, run: Run): void {
  const trends = program.command('trends').description('list and review trends')
  const kind = () => new Argument('<kind>').choices(TREND_KINDS)
  needsData(trends.command('list'))
    .description('list trends: kind, name, score, state (shown, pending, approved or rejected), details')
    .addArgument(new Argument('[kind]').choices(TREND_KINDS))
    .action((only: TrendKind | undefined) =>
      run(async (ctx) => {
        const isShown = await readShownVerdicts(ctx)
        for (const one of only === undefined ? TREND_KINDS : [only]) {
          for (const trend of await listTrends(ctx, { kind: one })) console.log(rowOf(one, trend, isShown))
        }
      }),
    )
  for (const [word, about, verb] of [
    ['approve', 'approve trends', approveTrend],
    ['reject', 'reject trends', rejectTrend],
  ] as const) {
    needsData(trends.command(word))
      .description(about)
      .addHelpText('after', EXPLANATION)
      .addArgument(kind())
      .argument('<name...>')
      .action((one: TrendKind, names: string[]) =>
        run(async (ctx) => {
          await ctx.write(async (tx) => {
            for (const name of names) await verb(tx, { kind: one, id: await findJudged(tx, { kind: one, name }) })
          })
          console.log('OK')
        }),
      )
  }
}

function rowOf(
  kind: TrendKind,
  { name, score, verdict, about }: Trend,
  isShown: (of: boolean | null) => boolean,
): string {
  const state = isShown(verdict) ? 'shown' : verdict === null ? 'pending' : verdict ? 'approved' : 'rejected'
  return [kind, name, score.toFixed(1), state, about]
    .map((cell) => cleanText(cell).replaceAll(/\s+/g, ' '))
    .join('\t')
    .trimEnd()
}

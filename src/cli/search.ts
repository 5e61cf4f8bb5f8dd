import type { Command } from 'commander'
import { readProgress, rebuildIndex } from '../domain/search/backlog.ts'
import { needsData } from './data-use.ts'
import type { Run } from './open.ts'
import { showProgress } from './show-progress.ts'

const EXPLANATION = `
A server that was updated enters what it has by itself, from the newest post back to the oldest.`

/** `linnet search`: the index by which posts are found. */
export function searchCommand(program: Command, run: Run): void {
  const search = needsData(program.command('search'))
    .description('see how far the search of posts is made, or make it anew')
    .addHelpText('after', EXPLANATION)
    .action(() =>
      run(async (ctx) => {
        const progress = await readProgress(ctx)
        console.log(progress === null ? 'Everything can be found' : describe(progress))
      }),
    )
  needsData(search.command('rebuild'))
    .description(
      'enter every post anew; what is there can be found meanwhile, and what is broken off goes on by itself',
    )
    .action(() =>
      run(async (ctx) => {
        const done = await rebuildIndex(ctx, { onProgress: showProgress() })
        console.log(`Entered ${done} posts and boosts`)
      }),
    )
}

function describe({ done, all }: { done: number; all: number }): string {
  return `${done} of ${all} posts and boosts are entered (${Math.floor((100 * done) / Math.max(1, all))} %)`
}

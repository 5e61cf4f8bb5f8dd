import type { Command } from 'commander'
import { readProgress, rebuildIndex } from '../domain/search/backlog.ts'
import { needsData } from './data-use.ts'
import type { Run } from './open.ts'
import { showProgress } from './show-progress.ts'

const EXPLANATION = `
After an upgrade, the server indexes existing posts in the background, newest first.`

/** `linnet search`: the index by which posts are found. */
export function searchCommand(program: Command, run: Run): void {
  const search = needsData(program.command('search'))
    .description('show the progress of the search index, or rebuild it')
    .addHelpText('after', EXPLANATION)
    .action(() =>
      run(async (ctx) => {
        const progress = await readProgress(ctx)
        console.log(progress === null ? 'The search index is complete' : describe(progress))
      }),
    )
  needsData(search.command('rebuild'))
    .description('rebuild the index; search works meanwhile, and the server continues an interrupted rebuild')
    .action(() =>
      run(async (ctx) => {
        const done = await rebuildIndex(ctx, { onProgress: showProgress() })
        console.log(`Indexed ${done} posts and boosts`)
      }),
    )
}

function describe({ done, all }: { done: number; all: number }): string {
  return `${done} of ${all} posts and boosts are indexed (${Math.floor((100 * done) / Math.max(1, all))} %)`
}

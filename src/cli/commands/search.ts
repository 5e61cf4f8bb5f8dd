import type { Command } from 'commander'
import { readIndexProgress, rebuildSearchIndex } from '../../domain/search/index-backlog.ts'
import { requireData } from '../data-use.ts'
import type { RunCommand } from '../run-command.ts'
import { showProgress } from '../output/show-progress.ts'

const HELP = `
A rebuild indexes the existing posts, newest first. The server continues an interrupted rebuild in the background.`

/** Adds `linnet search`, which manages the search index of statuses. */
export function searchCommand(program: Command, run: RunCommand): void {
  const search = requireData(program.command('search'))
    .description('show the progress of the search index, or rebuild it')
    .addHelpText('after', HELP)
    .action(() =>
      run(async (ctx) => {
        const progress = await readIndexProgress(ctx)
        console.log(progress === null ? 'The search index is complete' : describeProgress(progress))
      }),
    )
  requireData(search.command('rebuild'))
    .description('rebuild the index; search works meanwhile, and the server continues an interrupted rebuild')
    .action(() =>
      run(async (ctx) => {
        const indexed = await rebuildSearchIndex(ctx, { onProgress: showProgress() })
        console.log(`Indexed ${indexed} posts and boosts`)
      }),
    )
}

function describeProgress({ done: indexed, all: total }: { done: number; all: number }): string {
  return `${indexed} of ${total} posts and boosts are indexed (${Math.floor((100 * indexed) / Math.max(1, total))} %)`
}

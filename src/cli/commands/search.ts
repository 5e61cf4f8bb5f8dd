import type { Command } from 'commander'
import { readIndexProgress, rebuildSearchIndex } from '../../domain/search/index-backlog.ts'
import { requireData } from '../data-use.ts'
import type { RunCommand } from '../run-command.ts'
import { allowJson, printResult } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { showProgress } from '../output/show-progress.ts'

const HELP = `
A rebuild indexes the existing posts, newest first. The server continues an interrupted rebuild in the background.`

/** Adds `linnet search`, which manages the search index of statuses. */
export function searchCommand(program: Command, run: RunCommand): void {
  const search = allowJson(requireData(program.command('search')))
    .description('show the progress of the search index, or rebuild it')
    .addHelpText('after', HELP)
    .action((options: OutputOptions) =>
      run(async (ctx) => {
        const progress = await readIndexProgress(ctx)
        const line = progress === null ? 'The search index is complete' : describeProgress(progress)
        const result = { complete: progress === null, indexed: progress?.done ?? null, total: progress?.all ?? null }
        printResult(options, { result, lines: [line] })
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

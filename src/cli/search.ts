import type { Command } from 'commander'
import { beginRebuild, indexChunk, readProgress } from '../domain/search/backlog.ts'
import type { Run } from './open.ts'

const EXPLANATION = `
A server that was updated enters what it has by itself, from the newest post back to the oldest.`

/** `linnet search`: the index by which posts are found. */
export function searchCommand(program: Command, run: Run): void {
  const search = program
    .command('search')
    .description('see how far the search of posts is made, or make it anew')
    .addHelpText('after', EXPLANATION)
    .action(() =>
      run(async (ctx) => {
        const progress = await readProgress(ctx)
        console.log(progress === null ? 'Everything can be found' : describe(progress))
      }),
    )
  search
    .command('rebuild')
    .description(
      'enter every post anew; what is there can be found meanwhile, and what is broken off goes on by itself',
    )
    .action(() =>
      run(async (ctx) => {
        await beginRebuild(ctx)
        const { all } = (await readProgress(ctx)) ?? { all: 0 }
        let done = 0
        for (let count = await indexChunk(ctx); count !== null; count = await indexChunk(ctx)) {
          const before = done
          done += count
          if (Math.floor(done / SHOWN_EACH) > Math.floor(before / SHOWN_EACH)) console.error(describe({ done, all }))
        }
        console.log(`Entered ${done} posts and boosts`)
      }),
    )
}

/** So often it is shown how far it is. */
const SHOWN_EACH = 10_000

function describe({ done, all }: { done: number; all: number }): string {
  return `${done} of ${all} posts and boosts are entered (${Math.floor((100 * done) / Math.max(1, all))} %)`
}

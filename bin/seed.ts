import { Command, InvalidArgumentError } from 'commander'
import { runOrReport } from '../src/cli/command-error.ts'
import { startIndexRebuild } from '../src/domain/search/index-backlog.ts'
import { openLinnet } from '../src/open.ts'
import { showProgress } from '../src/cli/output/show-progress.ts'
import { seedDatabase } from './dataset/seed-database.ts'
import type { Dataset } from './dataset/plan-statements.ts'

function readCount(value: string): number {
  if (/^\d{1,8}$/.test(value) && Number(value) > 0) return Number(value)
  throw new InvalidArgumentError('It must be an integer from 1 to 99999999.')
}

await new Command('seed')
  .description('fill an empty database with generated accounts and posts, for measurements')
  .option('--accounts <number>', 'accounts', readCount, 5_000)
  .option('--statuses <number>', 'posts, including boosts', readCount, 200_000)
  .option('--feeds <number>', 'recently active users, who have a feed', readCount, 1_000)
  .option('--seed <number>', 'seed of the generator; equal seeds give equal datasets', readCount, 1)
  .action((dataset: Dataset) =>
    runOrReport(async () => {
      const { app, close } = await openLinnet({ opener: 'tool', onProgress: (text) => console.error(text) })
      const start = performance.now()
      const show = showProgress()
      try {
        const { accounts, statuses, feeds } = dataset
        await seedDatabase(app.ctx, {
          connection: app.connection,
          dataset: { ...dataset, feeds: Math.min(feeds, accounts) },
          onProgress: show,
        })
        // A running server builds the search index in the background.
        await app.ctx.write(startIndexRebuild)
        const seconds = ((performance.now() - start) / 1000).toFixed(1)
        console.error(`Created ${accounts} accounts and ${statuses} posts in ${seconds} s`)
      } finally {
        await close()
      }
    }),
  )
  .parseAsync()

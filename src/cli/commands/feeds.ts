import type { Command } from 'commander'
import { resetFeeds } from '../../domain/timelines/feeds/request-rebuild.ts'
import { CommandError } from '../command-error.ts'
import { requireData } from '../data-use.ts'
import { findLocalAccountIdByName } from '../input/find-account-id.ts'
import { allowDryRun, allowJson, printResult } from '../output/print-result.ts'
import type { OutputOptions } from '../output/print-result.ts'
import { showProgress } from '../output/show-progress.ts'
import type { RunCommand } from '../run-command.ts'

const HELP = `
The feeds are the home timeline and the timelines of lists. The server rebuilds them in the background; an app that reads
one before that gets the status 206.`

const BUILD_HELP = `${HELP}
Without a name, it rebuilds the feeds of all users who were active in the last 30 days. With --skip-filled-timelines,
timelines that are more than half full keep their posts.`

interface FeedOptions extends OutputOptions {
  dryRun: boolean
}

interface BuildOptions extends FeedOptions {
  all: boolean
  skipFilledTimelines: boolean
}

/** Adds `linnet feeds`, which rebuilds and empties the stored feeds of local users. */
export function feedsCommand(program: Command, run: RunCommand): void {
  const feeds = program.command('feeds').description('rebuild or empty the home and list timelines of local users')
  allowDryRun(allowJson(requireData(feeds.command('build [name]'))))
    .description('rebuild the feeds of a user, or of all active users')
    .addHelpText('after', BUILD_HELP)
    .option('--all', 'of all active users, as without a name', false)
    .option('--skip-filled-timelines', 'only timelines that are at most half full', false)
    .action((name: string | undefined, { all, skipFilledTimelines: skipFilled, ...options }: BuildOptions) =>
      run(async (ctx) => {
        if (all && name !== undefined) throw new CommandError('Specify either a name or --all')
        const owners = name === undefined ? 'active' : { accountId: await findLocalAccountIdByName(ctx, { name }) }
        const users = await resetFeeds(ctx, { owners, rebuild: true, skipFilled, ...runOptionsOf(options) })
        printUsers(options, { users, verb: options.dryRun ? 'Would rebuild' : 'Rebuilding' })
      }),
    )
  allowDryRun(allowJson(requireData(feeds.command('clear'))))
    .description('empty all feeds; each is rebuilt when its user reads it')
    .action((options: FeedOptions) =>
      run(async (ctx) => {
        const users = await resetFeeds(ctx, {
          owners: 'all',
          rebuild: false,
          skipFilled: false,
          ...runOptionsOf(options),
        })
        printUsers(options, { users, verb: options.dryRun ? 'Would empty' : 'Emptied' })
      }),
    )
}

function runOptionsOf({ dryRun }: FeedOptions) {
  const progress = showProgress()
  return { dryRun, onProgress: (done: number) => progress(done, 'emptying') }
}

function printUsers(options: FeedOptions, { users, verb }: { users: number; verb: string }): void {
  const noun = users === 1 ? 'user' : 'users'
  printResult(options, {
    result: { dryRun: options.dryRun, users },
    lines: [`${verb} the feeds of ${users} ${noun}`],
  })
}

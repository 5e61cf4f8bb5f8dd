import { Command, Option } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { checkCalls, createsData } from './cli/data-use.ts'
import { attempt } from './cli/failure.ts'
import { createRun } from './cli/open.ts'
import type { Run } from './cli/open.ts'
import type { Part } from './serve.ts'

/** Standard output belongs to what a command answers. */
const onProgress = (text: string): void => console.error(text)

const run: Run = createRun(async () => {
  const { openLinnet } = await import('./open.ts')
  const { app, close } = await openLinnet({ opener: 'tool', onProgress })
  return { ctx: app.ctx, close }
})

/** Every command in the order of the help, each loaded only when it is called. */
const COMMANDS: Record<string, (program: Command) => Promise<unknown>> = {
  serve: addServe,
  migrate: addMigrate,
  accounts: async (program) => (await import('./cli/accounts.ts')).accountsCommand(program, run),
  tokens: async (program) => (await import('./cli/tokens.ts')).tokensCommand(program, run),
  settings: async (program) => (await import('./cli/settings.ts')).settingsCommand(program, run),
  emoji: async (program) => (await import('./cli/emoji.ts')).emojiCommand(program, run),
  media: async (program) => (await import('./cli/media.ts')).mediaCommand(program, run),
  announcements: async (program) => (await import('./cli/announcements.ts')).announcementsCommand(program, run),
  trends: async (program) => (await import('./cli/trends.ts')).trendsCommand(program, run),
  'domain-blocks': async (program) => (await import('./cli/domain-blocks.ts')).domainBlocksCommand(program, run),
  statuses: async (program) => (await import('./cli/statuses.ts')).statusesCommand(program, run),
  mail: async (program) => (await import('./cli/mail.ts')).mailCommand(program, run),
  search: async (program) => (await import('./cli/search.ts')).searchCommand(program, run),
  jobs: addJobs,
  deliveries: async (program) => (await import('./cli/deliveries.ts')).deliveriesCommand(program, run),
  doctor: async (program) => (await import('./cli/doctor.ts')).doctorCommand(program),
}

async function addServe(program: Command): Promise<void> {
  createsData(program.command('serve'))
    .description('start the server; Ctrl-C stops it')
    .addOption(
      new Option('--only <part>', 'run only one role; other processes run the others').choices([
        'web',
        'worker',
        'streaming',
      ]),
    )
    .action(async ({ only }: { only?: Part }) => {
      await attempt(async () => (await import('./serve.ts')).serve({ only: only ?? null }))
      // A server that failed half-way may still hold sockets open.
      process.exit()
    })
}

async function addMigrate(program: Command): Promise<void> {
  createsData(program.command('migrate'))
    .description('run pending database migrations (every start does, too)')
    .action(() =>
      attempt(async () => {
        const [{ readConfig }, { prepareDatabase }] = await Promise.all([
          import('./platform/config.ts'),
          import('./open.ts'),
        ])
        const { ran, close } = await prepareDatabase(readConfig(), { opener: 'tool', onProgress: () => {} })
        await close()
        for (const name of ran) console.log(name)
        console.log(ran.length === 0 ? 'All migrations have run' : `Ran ${ran.length} migrations`)
      }),
    )
}

async function addJobs(program: Command): Promise<void> {
  const [{ jobsCommand }, { jobNames }] = await Promise.all([import('./cli/jobs.ts'), import('./jobs.ts')])
  jobsCommand(program, run, { jobNames })
}

/** Builds the command line: all of it, or only the command of this name, which then loads alone. */
export async function createProgram(name = ''): Promise<Command> {
  const program = new Command('linnet')
    .description('Linnet, a federated social server. Commands work whether the server is running or not.')
    .version(manifest.version)
    .configureHelp({ showGlobalOptions: false })
    .showHelpAfterError('(use --help for usage)')
  const called = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]!] : Object.values(COMMANDS)
  for (const add of called) await add(program)
  checkCalls(program)
  return program
}

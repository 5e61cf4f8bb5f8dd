import { Command, Help, Option } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { checkCommands, allowCreatingData } from './cli/data-use.ts'
import { runOrReport } from './cli/command-error.ts'
import type { DatabaseContext } from './cli/commands/database-context.ts'
import { createRunCommand } from './cli/run-command.ts'
import type { RunCommand } from './cli/run-command.ts'
import type { ProcessRole } from './serve.ts'

/** Progress goes to standard error, because standard output has the result of the command. */
const printProgress = (text: string): void => console.error(text)

const runWithContext: RunCommand = createRunCommand(async () => {
  const { openLinnet } = await import('./open.ts')
  const { app, close } = await openLinnet({ opener: 'tool', onProgress: printProgress })
  return { ctx: app.ctx, close }
})

/** For commands that need only the database, and work if its secrets are lost. */
const openDatabaseOnly = async (): Promise<DatabaseContext> => {
  const [{ readConfig }, { prepareDatabase }, { createDb, createPool }] = await Promise.all([
    import('./platform/config/config.ts'),
    import('./open.ts'),
    import('./platform/db/connection.ts'),
  ])
  const config = readConfig()
  const database = await prepareDatabase(config, { opener: 'tool', onProgress: printProgress })
  const pool = createPool(database.connection, { max: 1, onError: () => {} })
  const close = async (): Promise<void> => {
    await pool.end()
    await database.close()
  }
  return { db: createDb(pool), connection: database.connection, config, close }
}

/** All commands in the order of the help. A command is loaded only when it is called. */
const COMMANDS: Record<string, (program: Command) => Promise<unknown>> = {
  serve: addServe,
  migrate: addMigrate,
  accounts: async (program) =>
    (await import('./cli/commands/accounts/accounts.ts')).accountsCommand(program, runWithContext),
  roles: async (program) => (await import('./cli/commands/roles.ts')).rolesCommand(program, runWithContext),
  tokens: async (program) => (await import('./cli/commands/tokens.ts')).tokensCommand(program, runWithContext),
  settings: async (program) =>
    (await import('./cli/commands/settings/settings.ts')).settingsCommand(program, runWithContext),
  emoji: async (program) => (await import('./cli/commands/emoji/emoji.ts')).emojiCommand(program, runWithContext),
  media: async (program) => (await import('./cli/commands/media/media.ts')).mediaCommand(program, runWithContext),
  announcements: async (program) =>
    (await import('./cli/commands/announcements.ts')).announcementsCommand(program, runWithContext),
  trends: async (program) => (await import('./cli/commands/trends.ts')).trendsCommand(program, runWithContext),
  'domain-blocks': async (program) =>
    (await import('./cli/commands/domain-blocks.ts')).domainBlocksCommand(program, runWithContext),
  'domain-allows': async (program) =>
    (await import('./cli/commands/domain-allows.ts')).domainAllowsCommand(program, runWithContext),
  domains: async (program) => (await import('./cli/commands/domains.ts')).domainsCommand(program, runWithContext),
  'email-domain-blocks': async (program) =>
    (await import('./cli/commands/email-domain-blocks.ts')).emailDomainBlocksCommand(program, runWithContext),
  'ip-blocks': async (program) =>
    (await import('./cli/commands/ip-blocks.ts')).ipBlocksCommand(program, runWithContext),
  reports: async (program) => (await import('./cli/commands/reports.ts')).reportsCommand(program, runWithContext),
  feeds: async (program) => (await import('./cli/commands/feeds.ts')).feedsCommand(program, runWithContext),
  statuses: async (program) => (await import('./cli/commands/statuses.ts')).statusesCommand(program, runWithContext),
  mail: async (program) => (await import('./cli/commands/mail.ts')).mailCommand(program, runWithContext),
  retention: async (program) => (await import('./cli/commands/retention.ts')).retentionCommand(program, runWithContext),
  search: async (program) => (await import('./cli/commands/search.ts')).searchCommand(program, runWithContext),
  jobs: addJobs,
  deliveries: async (program) =>
    (await import('./cli/commands/deliveries.ts')).deliveriesCommand(program, runWithContext),
  backup: async (program) => (await import('./cli/commands/backup/backup.ts')).backupCommand(program, openDatabaseOnly),
  restore: async (program) => (await import('./cli/commands/backup/restore.ts')).restoreCommand(program),
  secrets: async (program) => (await import('./cli/commands/secrets.ts')).secretsCommand(program, openDatabaseOnly),
  doctor: async (program) => (await import('./cli/commands/doctor/doctor.ts')).doctorCommand(program),
}

async function addServe(program: Command): Promise<void> {
  allowCreatingData(program.command('serve'))
    .description('start the server; Ctrl-C stops it')
    .addOption(
      new Option('--only <part>', 'run only one role; other processes run the others').choices([
        'web',
        'worker',
        'streaming',
      ]),
    )
    .action(async ({ only }: { only?: ProcessRole }) => {
      await runOrReport(async () => (await import('./serve.ts')).serve({ only: only ?? null }))
      // A server that failed during its start may still have open sockets.
      process.exit()
    })
}

async function addMigrate(program: Command): Promise<void> {
  allowCreatingData(program.command('migrate'))
    .description('run pending database migrations (every start does, too)')
    .action(() =>
      runOrReport(async () => {
        const [{ readConfig }, { prepareDatabase }] = await Promise.all([
          import('./platform/config/config.ts'),
          import('./open.ts'),
        ])
        const { migrationsRun, close } = await prepareDatabase(readConfig(), { opener: 'tool', onProgress: () => {} })
        await close()
        for (const name of migrationsRun) console.log(name)
        console.log(migrationsRun.length === 0 ? 'All migrations have run' : `Ran ${migrationsRun.length} migrations`)
      }),
    )
}

async function addJobs(program: Command): Promise<void> {
  const { jobsCommand } = await import('./cli/commands/jobs.ts')
  jobsCommand(program, runWithContext)
}

/** Omits the defaults of switches and empty texts, which users expect. */
function describeOption(option: Option): string {
  return new Help().optionDescription(option).replace(/ \(default: (?:false|"")\)$/, '')
}

/** Creates the command line with all commands, or with only the command of this name. */
export async function createProgram(name = ''): Promise<Command> {
  const program = new Command('linnet')
    .description('Linnet, a federated social server. Commands work whether the server is running or not.')
    .version(manifest.version)
    .configureHelp({ showGlobalOptions: false, optionDescription: describeOption })
    .showHelpAfterError('(use --help for usage)')
  const selectedCommands = Object.hasOwn(COMMANDS, name) ? [COMMANDS[name]!] : Object.values(COMMANDS)
  for (const add of selectedCommands) await add(program)
  checkCommands(program)
  return program
}

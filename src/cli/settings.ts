import { Argument } from 'commander'
import type { Command } from 'commander'
import { setRegistrationsMode } from '../domain/accounts/registrations.ts'
import type { RegistrationsMode } from '../platform/config.ts'
import type { Run } from './open.ts'

const MODES: RegistrationsMode[] = ['open', 'approved', 'none']

/** `linnet settings`: what the owner chooses while the server runs. */
export function settingsCommand(program: Command, run: Run): void {
  const settings = program.command('settings').description('change how the server behaves')
  settings
    .command('registrations')
    .description('say who may sign up: everybody, those whom a moderator approves, or nobody')
    .addArgument(new Argument('<mode>').choices(MODES))
    .action((mode: RegistrationsMode) =>
      run(async (ctx) => {
        await ctx.write((tx) => setRegistrationsMode(tx, { mode }))
        console.log('OK')
      }),
    )
}

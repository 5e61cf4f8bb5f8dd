import { Argument } from 'commander'
import type { Command } from 'commander'
import { DIRECTORY_SETTING } from '../domain/accounts/directory.ts'
import { setRegistrationsMode } from '../domain/accounts/registrations.ts'
import { FEED_ACCESS, setFeedAccess } from '../domain/feeds/access.ts'
import type { FeedAccess, FeedSide, FeedSubject } from '../domain/feeds/access.ts'
import { writeSetting } from '../domain/settings.ts'
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
  settings
    .command('timelines')
    .description('say who may read what is public, all of it (live) or by hashtag (topic)')
    .addArgument(new Argument('<side>', 'statuses of this server or of others').choices(['local', 'remote']))
    .addArgument(new Argument('<subject>').choices(['live', 'topic']))
    .addArgument(new Argument('<access>').choices(FEED_ACCESS))
    .action((side: FeedSide, subject: FeedSubject, access: FeedAccess) =>
      run(async (ctx) => {
        await ctx.write((tx) => setFeedAccess(tx, { side, subject, access }))
        console.log('OK')
      }),
    )
  settings
    .command('directory')
    .description('say whether people who want to be found are listed')
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .action((state: 'on' | 'off') =>
      run(async (ctx) => {
        await ctx.write((tx) => writeSetting(tx, { name: DIRECTORY_SETTING, value: state === 'on' }))
        console.log('OK')
      }),
    )
}

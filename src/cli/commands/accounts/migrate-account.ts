import { Option } from 'commander'
import type { Command } from 'commander'
import { findLastTarget, findMoveTarget } from '../../../domain/accounts/migration/move-account.ts'
import { resolveAccount } from '../../../domain/accounts/lookup/resolve-account.ts'
import type { Ctx } from '../../../domain/context.ts'
import { migrateAccount } from '../../../domain/moderation/accounts/migrate-account.ts'
import { CommandError } from '../../command-error.ts'
import { requireData } from '../../data-use.ts'
import { findLocalAccountIdByName } from '../../input/find-account-id.ts'
import type { RunCommand } from '../../run-command.ts'

interface MigrateOptions {
  target?: string
  replay: boolean
  force: boolean
}

const HELP = `
The target must have the account as an alias. Followers are moved to it. A new move is possible 30 days after the last
one; a replay moves the followers that stayed at the last one.`

/** Adds `linnet accounts migrate`. */
export function migrateAccountCommand(accounts: Command, run: RunCommand): void {
  requireData(accounts.command('migrate <name>'))
    .description('move a local account to another account, or repeat its last move')
    .addHelpText('after', HELP)
    .addOption(new Option('--target <account>', 'handle or URL of the new account').conflicts('replay'))
    .option('--replay', 'repeat the last move', false)
    .option('--force', 'also if the account redirects to another account now', false)
    .action((name: string, options: MigrateOptions) => run((ctx) => migrate(ctx, { name, ...options })))
}

async function migrate(ctx: Ctx, { name, target, replay, force }: MigrateOptions & { name: string }): Promise<void> {
  if (replay === (target !== undefined)) throw new CommandError('Specify either --target or --replay')
  const accountId = await findLocalAccountIdByName(ctx, { name })
  const next =
    target === undefined
      ? await findReplayedTarget(ctx, { accountId, name })
      : await findTarget(ctx, { accountId, target })
  const present = await findMoveTarget(ctx, { accountId })
  if (present !== null && present !== next && !force)
    throw new CommandError(`${name} redirects to another account; use --force to replace that`)
  await migrateAccount(ctx, { accountId, by: null, name: target ?? null })
  console.log('OK')
}

async function findReplayedTarget(ctx: Ctx, { accountId, name }: { accountId: string; name: string }): Promise<string> {
  const last = await findLastTarget(ctx, { accountId })
  if (last === null) throw new CommandError(`${name} has never moved`)
  return last
}

async function findTarget(ctx: Ctx, { accountId, target }: { accountId: string; target: string }): Promise<string> {
  const id = await resolveAccount(ctx, { name: target, viewerId: accountId })
  if (id === null) throw new CommandError(`No account is named ${target}`)
  return id
}

import type { Command } from 'commander'
import { createAccount } from '../../../domain/accounts/registration/create-account.ts'
import { deleteAccountAsStaff } from '../../../domain/moderation/accounts/moderate-account.ts'
import { generateSecret } from '../../../lib/secrets.ts'
import { accountActionCommands } from './account-actions.ts'
import { listAccountsCommands } from './list-accounts.ts'
import { migrateAccountCommand } from './migrate-account.ts'
import { modifyAccountsCommands } from './modify-accounts.ts'
import { removeRemoteAccountsCommands } from './remove-remote-accounts.ts'
import { rotateKeysCommand } from './rotate-keys.ts'
import { allowCreatingData, requireData } from '../../data-use.ts'
import { CommandError } from '../../command-error.ts'
import { findLocalAccountIdByName } from '../../input/find-account-id.ts'
import { findRole } from '../../input/find-role.ts'
import type { RunCommand } from '../../run-command.ts'

interface CreateOptions {
  email: string
  password?: string
  role: string
  confirmed: boolean
  approved: boolean
}

/** Adds `linnet accounts`, which manages local and remote accounts. */
export function accountsCommand(program: Command, run: RunCommand): void {
  const accounts = program
    .command('accounts')
    .description('create, list, change, approve, moderate and delete accounts')
  allowCreatingData(accounts.command('create <name>'))
    .description('create an account; without --password, generate a password and print it')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password <text>', 'password, 8 to 128 characters')
    .option('--role <role>', 'role: user, moderator, admin, owner, or a role of "roles list"', 'user')
    .option('--confirmed', 'mark the e-mail address as confirmed', false)
    .option('--approved', 'approve the account', false)
    .action((name: string, { email, password, role: roleText, ...options }: CreateOptions) =>
      run(async (ctx) => {
        const { id, name: roleName } = await findRole(ctx, { text: roleText })
        const plainPassword = password ?? generateSecret()
        const role = { id, name: roleName || 'user' }
        await createAccount(ctx, { username: name, email, password: plainPassword, role, ...options })
        console.log('OK')
        if (password === undefined) console.log(`New password: ${plainPassword}`)
      }),
    )
  listAccountsCommands(accounts, run)
  modifyAccountsCommands(accounts, run)
  migrateAccountCommand(accounts, run)
  removeRemoteAccountsCommands(accounts, run)
  rotateKeysCommand(accounts, run)
  accountActionCommands(accounts, run)
  requireData(accounts.command('delete <name>'))
    .description('delete an account and all its data permanently; the username stays reserved')
    .option('--yes', 'confirm the deletion', false)
    .action((name: string, { yes }: { yes: boolean }) =>
      run(async (ctx) => {
        const accountId = await findLocalAccountIdByName(ctx, { name })
        if (!yes) throw new CommandError(`This deletes @${name.replace(/^@/, '')} permanently; use --yes to confirm`)
        await ctx.write((tx) => deleteAccountAsStaff(tx, { accountId, by: null }))
        console.log('OK')
      }),
    )
}

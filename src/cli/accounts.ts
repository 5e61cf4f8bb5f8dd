import { Option } from 'commander'
import type { Command } from 'commander'
import { approveAccount } from '../domain/accounts/approve.ts'
import { createAccount } from '../domain/accounts/create-account.ts'
import { deleteAccount, findLocalPerson } from '../domain/accounts/delete.ts'
import { ROLE_IDS } from '../domain/accounts/insert-person.ts'
import { makeSecret } from '../lib/secrets.ts'
import { createsData, needsData } from './data-use.ts'
import { Halt } from './failure.ts'
import type { Run } from './open.ts'

type Role = keyof typeof ROLE_IDS

interface Creation {
  email: string
  password?: string
  role: Role
  confirmed: boolean
  approved: boolean
}

/** `linnet accounts`: the people of this server. */
export function accountsCommand(program: Command, run: Run): void {
  const accounts = program.command('accounts').description('create, approve and delete accounts')
  createsData(accounts.command('create <name>'))
    .description('create an account; without --password, generate a password and print it')
    .requiredOption('--email <address>', 'e-mail address')
    .option('--password <text>', 'password, 8 to 128 characters')
    .addOption(new Option('--role <role>', 'role of the user').choices(Object.keys(ROLE_IDS)).default('user'))
    .option('--confirmed', 'mark the e-mail address as confirmed', false)
    .option('--approved', 'approve the account', false)
    .action((name: string, { email, password, ...traits }: Creation) =>
      run(async (ctx) => {
        const chosen = password ?? makeSecret()
        await createAccount(ctx, { username: name, email, password: chosen, ...traits })
        console.log('OK')
        if (password === undefined) console.log(`New password: ${chosen}`)
      }),
    )
  needsData(accounts.command('approve <name>'))
    .description('approve a pending sign-up')
    .action((name: string) =>
      run(async (ctx) => {
        await ctx.write((tx) => approveAccount(tx, { username: name }))
        console.log('OK')
      }),
    )
  needsData(accounts.command('delete <name>'))
    .description('delete an account and all its data permanently; the username stays reserved')
    .option('--yes', 'confirm the deletion', false)
    .action((name: string, { yes }: { yes: boolean }) =>
      run(async (ctx) => {
        const accountId = await findLocalPerson(ctx, { username: name })
        if (!yes) throw new Halt(`This deletes @${name} permanently; use --yes to confirm`)
        await ctx.write((tx) => deleteAccount(tx, { accountId }))
        console.log('OK')
      }),
    )
}
